// One Vite server and one headless Chromium, for pictures and for tests with real boxes.
import { chromium } from 'playwright-core'
import { createServer } from 'vite'

export async function open() {
  const server = await createServer({
    server: { port: 0, host: '127.0.0.1', hmr: false, watch: null },
    logLevel: 'error',
  })
  await server.listen()
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
  const base = `http://127.0.0.1:${server.httpServer.address().port}`
  return {
    browser,
    base,
    async page(query, viewport, options = {}) {
      const context = await browser.newContext({ viewport, reducedMotion: 'reduce', ...options })
      const page = await context.newPage()
      page.on('pageerror', (error) => console.error(query, error.message))
      await page.goto(`${base}/gallery.html?${query}`)
      await page.waitForSelector(query.includes('signs') ? '.signs' : '.names text')
      if (!query.includes('signs') && !query.includes('map=paper')) await page.waitForSelector('.land')
      await page.waitForTimeout(150)
      return page
    },
    async close() {
      await browser.close()
      await server.close()
    },
  }
}
