// How smoothly a full board moves: frame times and the longest task while panning and zooming.
import { open } from './browser.mjs'

const { page, close } = await open()
const tab = await page('bare&map=europe&state=full', { width: 1280, height: 800 }, { reducedMotion: 'no-preference' })
await tab.evaluate(() => {
  const seen = { frames: [], tasks: [] }
  let last = performance.now()
  const tick = (now) => {
    seen.frames.push(now - last)
    last = now
    requestAnimationFrame(tick)
  }
  requestAnimationFrame(tick)
  new PerformanceObserver((list) => seen.tasks.push(...list.getEntries().map((entry) => entry.duration))).observe({
    type: 'longtask',
  })
  window.seen = seen
})
await tab.waitForTimeout(500)
await tab.evaluate(() => void window.seen.tasks.splice(0))
await tab.mouse.move(640, 400)
for (let i = 0; i < 6; i++) await tab.mouse.wheel(0, -120)
await tab.waitForTimeout(400)
console.log('zooming, long tasks:', await tab.evaluate(() => window.seen.tasks.splice(0).map(Math.round)))
await tab.evaluate(() => void (window.seen.frames = []))
await tab.mouse.down()
for (let i = 0; i < 90; i++) await tab.mouse.move(640 + 200 * Math.sin(i / 8), 400 + 120 * Math.cos(i / 8))
await tab.mouse.up()
const seen = await tab.evaluate(() => window.seen)
const frames = seen.frames.sort((a, b) => a - b)
console.log(
  `${frames.length} frames, median ${frames[frames.length >> 1].toFixed(1)} ms, 95 % ${frames[Math.floor(frames.length * 0.95)].toFixed(1)} ms; long tasks: ${seen.tasks.map(Math.round).join(', ') || 'none'}`,
)
console.log('nodes', await tab.evaluate(() => document.querySelectorAll('*').length))
await close()
