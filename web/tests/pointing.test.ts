import { existsSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { open } from '../scripts/browser.mjs'
import { lay } from '../src/board/geometry'
import { europe, fitted } from './maps'

const here = existsSync(process.env['CHROMIUM'] ?? '/usr/bin/chromium')

describe.runIf(here)('pointing at the board', () => {
  let world: Awaited<ReturnType<typeof open>>
  beforeAll(async () => void (world = await open()), 60_000)
  afterAll(() => world?.close())

  const viewport = { width: 1280, height: 860 }
  const layout = lay(europe)
  const said = 'nav span'

  async function ready(options = {}) {
    const page = await world.page('map=europe&state=empty', viewport, options)
    const box = (await page.locator('.board').boundingBox())!
    const k = fitted(europe, box.width, box.height)
    const onScreen = (p: { x: number; y: number }) => ({
      x: box.x + (box.width - europe.size.width * k) / 2 + p.x * k,
      y: box.y + (box.height - europe.size.height * k) / 2 + p.y * k,
    })
    const space = (id: string) => onScreen(layout.routes.find(({ route }) => route.id === id)!.spaces[0]!)
    return { page, onScreen, space }
  }

  it('picks the half that was clicked, and the city', async () => {
    const { page, space, onScreen } = await ready()
    for (const id of [
      'edinburgh-london-orange',
      'edinburgh-london-black',
      'budapest-wien-white',
      'budapest-wien-red',
    ]) {
      const { x, y } = space(id)
      await page.mouse.click(x, y)
      expect(await page.textContent(said)).toBe(`picked ${id}`)
    }
    const wien = onScreen(europe.cities.find((city) => city.id === 'wien')!)
    await page.mouse.click(wien.x, wien.y)
    expect(await page.textContent(said)).toBe('picked wien')
    await page.context().close()
  }, 60_000)

  it('keeps pointing right after zooming, and double-click shows the whole map again', async () => {
    const { page, space } = await ready()
    const { x, y } = space('brest-dieppe')
    await page.mouse.move(x, y)
    const where = () => page.locator('.sheet').getAttribute('style')
    const fit = await where()
    await page.mouse.wheel(0, -400)
    await expect.poll(where).not.toBe(fit)
    await page.mouse.click(x, y)
    expect(await page.textContent(said)).toBe('picked brest-dieppe')
    await page.mouse.dblclick(20, 840)
    await expect.poll(where).toBe(fit)
    await page.mouse.click(x, y)
    expect(await page.textContent(said)).toBe('picked brest-dieppe')
    await page.context().close()
  }, 60_000)

  it('is walked with the arrow keys and picked with Enter', async () => {
    const { page } = await ready()
    await page.locator('[data-route][tabindex="0"]').first().focus()
    await page.keyboard.press('ArrowRight')
    const id = await page.evaluate(() => (document.activeElement as SVGElement).dataset['route'])
    await page.keyboard.press('Enter')
    expect(await page.textContent(said)).toBe(`picked ${id}`)
    expect(await page.locator('[data-route][tabindex="0"]').count()).toBe(1)
    await page.context().close()
  }, 60_000)

  it('answers a resting finger without picking', async () => {
    const { page, space } = await ready({ hasTouch: true })
    const { x, y } = space('lisboa-madrid')
    await page.touchscreen.tap(x, y)
    expect(await page.textContent(said)).toBe('picked lisboa-madrid')
    const touch = await page.context().newCDPSession(page)
    const at = space('cadiz-madrid')
    await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [at] })
    await page.waitForTimeout(600)
    await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    expect(await page.textContent(said)).toContain('cadiz-madrid · 3 · orange')
    await page.context().close()
  }, 60_000)

  it('reaches as far for a finger whose click does not say that it is one, as on an iPhone', async () => {
    const { page, space } = await ready({ hasTouch: true })
    const { x, y } = space('lisboa-madrid')
    const press = (pointerType: string) =>
      page.evaluate(
        ([pointerType, x, y]) => {
          const at = { clientX: x, clientY: y, bubbles: true }
          const board = document.querySelector('.board')!
          board.dispatchEvent(new PointerEvent('pointerdown', { ...at, pointerType }))
          board.dispatchEvent(new MouseEvent('click', at))
        },
        [pointerType, x, y - 22] as const,
      )
    await press('mouse')
    expect(await page.textContent(said)).not.toContain('picked')
    await press('touch')
    expect(await page.textContent(said)).toBe('picked lisboa-madrid')
    await page.context().close()
  }, 60_000)

  it('takes no tap for a long press because the page was slow to hear of its end', async () => {
    const { page, space } = await ready({ hasTouch: true })
    const { x, y } = space('lisboa-madrid')
    const press = (rests: boolean) =>
      page.evaluate(
        async ([rests, x, y]) => {
          const at = { clientX: x, clientY: y, bubbles: true, pointerType: 'touch' }
          const board = document.querySelector('.board')!
          const lifted = () => new PointerEvent('pointerup', at)
          board.dispatchEvent(new PointerEvent('pointerdown', at))
          const early = lifted()
          await new Promise((done) => setTimeout(done, 600))
          board.dispatchEvent(rests ? lifted() : early)
          board.dispatchEvent(new MouseEvent('click', at))
        },
        [rests, x, y] as const,
      )
    await press(true)
    expect(await page.textContent(said)).not.toContain('picked')
    await press(false)
    expect(await page.textContent(said)).toBe('picked lisboa-madrid')
    await page.context().close()
  }, 60_000)
})
