import { existsSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { open } from '../scripts/browser.mjs'

const here = existsSync(process.env['CHROMIUM'] ?? '/usr/bin/chromium')
if (!here && process.env['CI'] === 'true')
  throw new Error('Chromium is missing: apt-get install chromium fonts-noto-cjk')

describe.runIf(here)('in a real browser', () => {
  let world: Awaited<ReturnType<typeof open>>
  beforeAll(async () => void (world = await open()), 60_000)
  afterAll(() => world?.close())

  const boards = ['europe', 'new-york'].flatMap((map) =>
    ['en', 'zh-Hant', 'zh-Hans'].map((lang) => [map, lang] as const),
  )
  it.each(boards)(
    'every name on %s in %s is there: on no car, no tooth of a tunnel, no station, no other name',
    async (map, lang) => {
      for (const viewport of [
        { width: 980, height: 600 },
        { width: 1280, height: 800 },
        { width: 2230, height: 1280 },
      ]) {
        const page = await world.page(`bare&map=${map}&state=full&lang=${lang}`, viewport)
        let found = await page.evaluate(readBoard)
        // Names are laid between other work: they are waited for, not a time.
        for (let tries = 0; tries < 60 && found.missing.length > 0; tries++) {
          await page.waitForTimeout(250)
          found = await page.evaluate(readBoard)
        }
        expect(found.missing).toEqual([])
        expect(found.clashes).toEqual([])
        expect(found.small).toEqual([])
        expect(found.nodes).toBeLessThan(4000)
        await page.context().close()
      }
    },
    60_000,
  )
})

/** Runs in the page: the ink of each name against every car, city and other name, in screen pixels. */
function readBoard(): { missing: string[]; clashes: string[]; small: string[]; nodes: number } {
  type Shape = { id: string; points: { x: number; y: number }[] }
  const apart = (a: Shape, b: Shape): boolean => {
    for (const shape of [a, b]) {
      for (let i = 0; i < shape.points.length; i++) {
        const p = shape.points[i]!
        const q = shape.points[(i + 1) % shape.points.length]!
        const along = (s: Shape): number[] => s.points.map((r) => (r.x - p.x) * (p.y - q.y) + (r.y - p.y) * (q.x - p.x))
        if (Math.min(...along(a)) >= Math.max(...along(b)) || Math.min(...along(b)) >= Math.max(...along(a)))
          return true
      }
    }
    return false
  }
  const quad = (id: string, el: SVGGraphicsElement, x0: number, y0: number, x1: number, y1: number): Shape => {
    const matrix = el.getScreenCTM()!
    return {
      id,
      points: [
        [x0, y0],
        [x1, y0],
        [x1, y1],
        [x0, y1],
      ].map(([x, y]) => new DOMPoint(x, y).matrixTransform(matrix)),
    }
  }
  const pen = document.createElement('canvas').getContext('2d')!
  const small: string[] = []
  const names = [...document.querySelectorAll<SVGTextElement>('.names text')].map((text) => {
    const style = getComputedStyle(text)
    pen.font = `${style.fontWeight} 100px ${style.fontFamily}`
    const ink = pen.measureText(text.textContent ?? '')
    const em = parseFloat(style.fontSize) / 100
    const [x, y] = [Number(text.getAttribute('x')), Number(text.getAttribute('y'))]
    const half = text.getComputedTextLength() / 2
    if (em * 100 * text.getScreenCTM()!.a < 10.9) small.push(text.dataset['name']!)
    return quad(
      text.dataset['name']!,
      text,
      x - half,
      y - ink.actualBoundingBoxAscent * em,
      x + half,
      y + ink.actualBoundingBoxDescent * em,
    )
  })
  const cars = [...document.querySelectorAll<SVGUseElement>('.car use')].map((use) =>
    quad(use.closest<SVGElement>('[data-route]')!.dataset['route']!, use, -53, -26, 53, 26),
  )
  // A tunnel's teeth stand out on both sides of its cars.
  const teeth = [...document.querySelectorAll<SVGPathElement>('.teeth')].flatMap((path): Shape[] => {
    const half = parseFloat(getComputedStyle(path).strokeWidth) / 2
    const matrix = path.getScreenCTM()!
    const steps = Math.ceil(path.getTotalLength() / 8)
    return Array.from({ length: steps }, (_, i): Shape => {
      const [p, q] = [i, i + 1].map((k) => path.getPointAtLength((path.getTotalLength() * k) / steps)) as [
        DOMPoint,
        DOMPoint,
      ]
      const long = Math.hypot(q.x - p.x, q.y - p.y) || 1
      const [nx, ny] = [((p.y - q.y) / long) * half, ((q.x - p.x) / long) * half]
      const corners = [
        [p.x + nx, p.y + ny],
        [q.x + nx, q.y + ny],
        [q.x - nx, q.y - ny],
        [p.x - nx, p.y - ny],
      ]
      return {
        id: `the teeth of ${path.closest<SVGElement>('[data-route]')!.dataset['route']!}`,
        points: corners.map(([x, y]) => new DOMPoint(x, y).matrixTransform(matrix)),
      }
    })
  })
  const cities = [...document.querySelectorAll<SVGGElement>('.city')].map((city): Shape => {
    const dot = city.querySelector<SVGCircleElement>('.dot')
    const id = city.dataset['city']!
    const matrix = city.getScreenCTM()!
    if (!dot) {
      const { x, y, width, height } = city.querySelector<SVGUseElement>('use')!.getBBox()
      return quad(`the station in ${id}`, city.querySelector<SVGUseElement>('use')!, x, y, x + width, y + height)
    }
    const r = Number(dot.getAttribute('r'))
    const points = Array.from({ length: 16 }, (_, i) =>
      new DOMPoint(r * Math.cos((i * Math.PI) / 8), r * Math.sin((i * Math.PI) / 8)).matrixTransform(matrix),
    )
    return { id, points }
  })
  const clashes: string[] = []
  names.forEach((name, i) => {
    for (const other of [...cars, ...teeth, ...cities])
      if (!apart(name, other)) clashes.push(`${name.id} on ${other.id}`)
    for (const other of names.slice(i + 1))
      if (other.id !== name.id && !apart(name, other)) clashes.push(`${name.id} on ${other.id}`)
  })
  const shown = new Set(names.map((name) => name.id))
  return {
    missing: [...document.querySelectorAll<SVGGElement>('.city')]
      .map((city) => city.dataset['city']!)
      .filter((id) => !shown.has(id)),
    clashes,
    small,
    nodes: document.querySelectorAll('*').length,
  }
}
