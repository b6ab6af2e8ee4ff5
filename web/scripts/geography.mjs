// Draws the coastline under the Europe board: Natural Earth's land (public domain, npm `world-atlas`), in Mercator,
// bent so that every city's true place lies where the map file puts the city. Run it with `npm run geography`
// after moving a city; the output is committed.
import { readFileSync, writeFileSync } from 'node:fs'
import { feature } from 'topojson-client'
import { affine, warp } from './warp.mjs'

const read = (path) => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'))
const world = read('../node_modules/world-atlas/land-50m.json')
const map = read('../../src/branchline/maps/europe.json')
const places = read('./europe-places.json')

// The board may be wider or taller than the map: the coast goes on this far around it.
const frame = { left: -620, top: -640, right: 1820, bottom: 1440 }
const clip = { west: -40, east: 74, south: 12, north: 80 }
const tolerance = 0.55
const smallest = 14

const radians = Math.PI / 180
const mercator = ([lon, lat]) => [lon * radians, -Math.log(Math.tan(Math.PI / 4 + (lat * radians) / 2))]

const from = map.cities.map((city) => mercator([places.cities[city.id][1], places.cities[city.id][0]]))
const to = map.cities.map((city) => [city.x, city.y])
const flat = affine(from, to)
const anchors = places.anchors.map(([lat, lon]) => mercator([lon, lat]))
const bend = warp([...from, ...anchors], [...to, ...anchors.map(flat)])
const project = (place) => bend(mercator(place))

/** Sutherland–Hodgman against one side of a box. */
function cut(ring, axis, limit, keepLess) {
  const inside = (p) => (keepLess ? p[axis] <= limit : p[axis] >= limit)
  const out = []
  ring.forEach((p, i) => {
    const q = ring[(i + 1) % ring.length]
    if (inside(p)) out.push(p)
    if (inside(p) !== inside(q)) {
      const t = (limit - p[axis]) / (q[axis] - p[axis])
      out.push([p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])])
    }
  })
  return out
}
const box = (ring, l, t, r, b) => cut(cut(cut(cut(ring, 0, l, false), 0, r, true), 1, t, false), 1, b, true)

/** Ramer–Douglas–Peucker on an open line. */
function simplify(line) {
  if (line.length < 3) return line
  const [ax, ay] = line[0]
  const [bx, by] = line.at(-1)
  const length = Math.hypot(bx - ax, by - ay)
  let far = 0
  let at = 0
  for (let i = 1; i < line.length - 1; i++) {
    const [x, y] = line[i]
    const d = length === 0 ? Math.hypot(x - ax, y - ay) : Math.abs((bx - ax) * (ay - y) - (ax - x) * (by - ay)) / length
    if (d > far) [far, at] = [d, i]
  }
  // Far outside the map nobody looks closely.
  const [mx, my] = line[at] ?? line[0]
  const outside = mx < -250 || mx > map.size.width + 250 || my < -250 || my > map.size.height + 250
  if (far < (outside ? tolerance * 3 : tolerance)) return [line[0], line.at(-1)]
  return [...simplify(line.slice(0, at + 1)).slice(0, -1), ...simplify(line.slice(at))]
}

const area = (ring) =>
  ring.reduce((sum, p, i) => sum + p[0] * ring[(i + 1) % ring.length][1] - p[1] * ring[(i + 1) % ring.length][0], 0) / 2

/** A ring across the date line, in one piece. */
const unwrapped = (ring) =>
  ring.some((p, i) => Math.abs(p[0] - ring[(i + 1) % ring.length][0]) > 180)
    ? ring.map(([lon, lat]) => [lon < -140 ? lon + 360 : lon, lat])
    : ring

/** Long straight edges are split first, so that the bend reaches their middle. */
const dense = (ring) =>
  ring.flatMap((p, i) => {
    const q = ring[(i + 1) % ring.length]
    const steps = Math.max(1, Math.ceil(Math.hypot(q[0] - p[0], q[1] - p[1]) / 0.5))
    return Array.from({ length: steps }, (_, k) => [
      p[0] + ((q[0] - p[0]) * k) / steps,
      p[1] + ((q[1] - p[1]) * k) / steps,
    ])
  })

/** Relative moves in tenths: half the bytes of absolute coordinates. */
function path(line, closed) {
  let [x, y] = [0, 0]
  let d = ''
  line.forEach((p, i) => {
    const nx = Math.round(p[0] * 10)
    const ny = Math.round(p[1] * 10)
    const [dx, dy] = [(nx - x) / 10, (ny - y) / 10]
    if (i === 0) d += `M${dx} ${dy}l`
    else if (dx !== 0 || dy !== 0) d += `${d.endsWith('l') || dx < 0 ? '' : ' '}${dx}${dy < 0 ? '' : ' '}${dy}`
    ;[x, y] = [nx, ny]
  })
  return (d + (closed ? 'z' : '')).replace(/(^|[ l-])0\./g, '$1.')
}

const land = feature(world, world.objects.land).features.flatMap((f) =>
  f.geometry.type === 'Polygon' ? [f.geometry.coordinates] : f.geometry.coordinates,
)
let d = ''
let points = 0
for (const polygon of land) {
  for (const ring of polygon) {
    const near = box(unwrapped(ring.slice(0, -1)), clip.west, clip.south, clip.east, clip.north)
    if (near.length < 3) continue
    const drawn = box(dense(near).map(project), frame.left, frame.top, frame.right, frame.bottom)
    if (drawn.length < 3 || Math.abs(area(drawn)) < smallest) continue
    const half = Math.floor(drawn.length / 2)
    const line = [
      ...simplify(drawn.slice(0, half + 1)).slice(0, -1),
      ...simplify([...drawn.slice(half), drawn[0]]).slice(0, -1),
    ]
    if (line.length < 3) continue
    points += line.length
    d += path(line, true)
  }
}

const round = (p) => p.map((v) => Math.round(v * 10) / 10)
const within = ([x, y]) => x > frame.left && x < frame.right && y > frame.top && y < frame.bottom

let grid = ''
const steps = (a, b, s) => Array.from({ length: Math.round((b - a) / s) + 1 }, (_, i) => a + i * s)
const net = [
  ...steps(-40, 70, 10).map((lon) => steps(14, 78, 0.5).map((lat) => [lon, lat])),
  ...steps(20, 70, 10).map((lat) => steps(-40, 74, 0.5).map((lon) => [lon, lat])),
]
for (const line of net) {
  const drawn = line.map(project).filter(within)
  if (drawn.length > 2) grid += path(simplify(drawn), false)
}

// Peaks march along each range, alternating sides, a little larger in the middle.
const peaks = places.ranges
  .flatMap(({ size, line }) => {
    const drawn = line.map(([lat, lon]) => project([lon, lat]))
    const out = []
    let carry = 0
    let k = 0
    for (let i = 0; i + 1 < drawn.length; i++) {
      const [p, q] = [drawn[i], drawn[i + 1]]
      const length = Math.hypot(q[0] - p[0], q[1] - p[1])
      for (let s = carry; s < length; s += size * 1.5, k++) {
        const t = s / length
        const side = (k % 2 ? 1 : -1) * size * 0.28
        const big = size * (0.82 + 0.3 * Math.abs(Math.sin(k * 1.7)))
        out.push([...round([p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1]) + side]), Math.round(big * 10) / 10])
        carry = s + size * 1.5 - length
      }
    }
    return out
  })
  .filter(within)

/** A smooth line through the points, as cubic curves. */
function flowing(points) {
  const r = (v) => Math.round(v * 10) / 10
  let d = `M${r(points[0][0])} ${r(points[0][1])}`
  for (let i = 0; i + 1 < points.length; i++) {
    const [a, b, c, e] = [points[i - 1] ?? points[i], points[i], points[i + 1], points[i + 2] ?? points[i + 1]]
    d += `C${r(b[0] + (c[0] - a[0]) / 6)} ${r(b[1] + (c[1] - a[1]) / 6)} ${r(c[0] - (e[0] - b[0]) / 6)} ${r(c[1] - (e[1] - b[1]) / 6)} ${r(c[0])} ${r(c[1])}`
  }
  return d
}
const rivers = places.rivers.map((line) => flowing(line.map(([lat, lon]) => project([lon, lat])))).join('')

// A compass rose in the quiet of the Atlantic.
const rose = [78, 470, 44]

const out = { land: d, grid, peaks, rivers, rose }
const text = JSON.stringify(out)
writeFileSync(new URL('../../src/branchline/maps/geography/europe.json', import.meta.url), text + '\n')
console.log(`${points} points, ${(text.length / 1024).toFixed(1)} kB, ${peaks.length} peaks`)
