// How smoothly a full board moves: frame times, and every task of the page's main thread while panning and zooming.
import { open } from './browser.mjs'

const { browser, page, close } = await open()
const tab = await page('bare&map=europe&state=full', { width: 1280, height: 800 }, { reducedMotion: 'no-preference' })
console.log('nodes', await tab.evaluate(() => document.querySelectorAll('*').length))

/** What the main thread did meanwhile: the length of its tasks in milliseconds, the longest first. */
async function watch(name, doing) {
  await tab.waitForTimeout(600)
  await tab.evaluate(() => {
    window.frames_ = []
    let last = performance.now()
    const tick = (now) => {
      window.frames_.push(now - last)
      last = now
      window.ticking = requestAnimationFrame(tick)
    }
    window.ticking = requestAnimationFrame(tick)
  })
  await browser.startTracing(tab, { categories: ['toplevel', 'devtools.timeline', '__metadata'] })
  await doing()
  const events = JSON.parse((await browser.stopTracing()).toString()).traceEvents
  const frames = await tab.evaluate(() => {
    cancelAnimationFrame(window.ticking)
    return window.frames_.sort((a, b) => a - b)
  })
  const threads = new Set(
    events.filter((e) => e.name === 'thread_name' && e.args.name === 'CrRendererMain').map((e) => `${e.pid} ${e.tid}`),
  )
  // The clock of the thread, where there is one: on a busy machine the other leaves in what others did meanwhile.
  const tasks = events
    .filter((e) => e.name.endsWith('RunTask') && threads.has(`${e.pid} ${e.tid}`))
    .map((e) => (e.tdur ?? e.dur) / 1000)
    .sort((a, b) => b - a)
  const figure = (ms) => ms.toFixed(1)
  console.log(
    `${name}: ${frames.length} frames, median ${figure(frames[frames.length >> 1])} ms, 95 % ${figure(frames[Math.floor(frames.length * 0.95)])} ms;`,
    `${tasks.length} tasks, ${tasks.filter((ms) => ms > 16).length} over 16 ms, longest ${tasks.slice(0, 4).map(figure).join(', ')} ms`,
  )
}

await tab.mouse.move(640, 400)
await watch('zooming', async () => {
  for (let i = 0; i < 6; i++) await tab.mouse.wheel(0, -120)
  await tab.waitForTimeout(600)
})
await watch('panning', async () => {
  await tab.mouse.down()
  for (let i = 0; i < 180; i++) await tab.mouse.move(640 + 200 * Math.sin(i / 8), 400 + 120 * Math.cos(i / 8))
  await tab.mouse.up()
})
await close()
