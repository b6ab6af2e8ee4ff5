// Looks for the bends that keep each route's cars off its neighbours and off the cities, and writes them into a map
// file: `node scripts/bends.mjs ../src/branchline/maps/europe.json [--write]`. Bends that name a route in
// bends-by-hand.json are kept as they are. No rule is read off a bend.
import { readFileSync, writeFileSync } from 'node:fs'
import { runnerImport } from 'vite'

const load = async (path) => (await runnerImport(path)).module
const { lay, pairs: pairsOf } = await load('./src/board/geometry.ts')
const { overlaps } = await load('./src/board/overlap.ts')
const { placeLabels } = await load('./src/board/labels.ts')

const [file, write] = process.argv.slice(2)
const map = JSON.parse(readFileSync(file, 'utf8'))
const byHand = JSON.parse(readFileSync(new URL('./bends-by-hand.json', import.meta.url), 'utf8'))[map.id] ?? {}
const cities = Object.fromEntries(map.cities.map((city) => [city.id, city]))
const pairs = [...pairsOf(map.routes).values()]
const bows = [0, 0.03, -0.03, 0.06, -0.06, 0.09, -0.09, 0.13, -0.13, 0.17, -0.17, 0.21, -0.21]
const chosen = new Map(pairs.map((pair) => [pair[0].id, 0]))

function bent(pair, bow) {
  const { a, b, id } = pair[0]
  if (byHand[id]) return byHand[id]
  if (bow === 0) return []
  const [p, q] = [cities[a], cities[b]]
  const round = (v) => Math.round(v)
  return [[round((p.x + q.x) / 2 - (q.y - p.y) * bow), round((p.y + q.y) / 2 + (q.x - p.x) * bow)]]
}

const drawn = () => ({
  ...map,
  routes: map.routes.map((route) => {
    const pair = pairs.find((p) => p.includes(route))
    return { ...route, bends: bent(pair, chosen.get(pair[0].id)) }
  }),
})

// Cars grow by a little air before they are compared, so that touching counts too.
function cost(pair) {
  const layout = lay(drawn())
  layout.scale.carWidth *= 1.18
  const found = overlaps(layout, new Set(pair.map((route) => route.id)))
  const own = new Set(pair.map((route) => route.id))
  const crowd = found
    .filter((o) => !(own.has(o.route) && own.has(o.other)))
    .reduce((sum, o) => sum + o.depth ** 1.5 + 1, 0)
  return crowd + 60 * Math.abs(chosen.get(pair[0].id)) ** 1.3
}

for (let pass = 0; pass < 4; pass++) {
  let changed = 0
  for (const pair of pairs) {
    const id = pair[0].id
    if (byHand[id]) continue
    const old = chosen.get(id)
    let best = [Infinity, old]
    for (const bow of bows) {
      chosen.set(id, bow)
      const c = cost(pair)
      if (c < best[0] - 1e-9) best = [c, bow]
    }
    chosen.set(id, best[1])
    if (best[1] !== old) changed++
  }
  console.log(`pass ${pass + 1}: ${changed} changed`)
  if (changed === 0) break
}

// Then make room for names: where one finds no place, or only a far one, its routes try other bends.
const { typeSize } = await load('./src/board/type-size.ts')
const scale = (width, height) => Math.min(width / map.size.width, height / map.size.height)
const sizes = Object.fromEntries(
  ['en', 'zh-Hant', 'zh-Hans'].map((lang) => [
    lang,
    [typeSize(lang, scale(980, 600)), typeSize(lang, scale(1280, 800))],
  ]),
)
const em = { en: 0.535, 'zh-Hant': 1.01, 'zh-Hans': 1.01 }

function names(layout) {
  let lost = new Set()
  let far = 0
  for (const [lang, all] of Object.entries(sizes)) {
    const nameOf = (id) => map.cities.find((city) => city.id === id).name[lang]
    for (const size of all) {
      const placed = placeLabels(layout, {
        size,
        measure: (text) => ([...text].length - text.split(' ').length * 0.5 + 0.5) * em[lang] * size,
        nameOf,
      })
      const have = new Set(placed.map((label) => label.city))
      for (const city of map.cities) if (!have.has(city.id)) lost.add(city.id)
      for (const label of placed) {
        const city = cities[label.city]
        far += Math.max(
          0,
          Math.hypot(
            Math.max(0, Math.abs(city.x - label.x) - label.width / 2),
            Math.max(0, Math.abs(city.y - label.y) - label.height / 2),
          ) /
            size -
            1,
        )
      }
    }
  }
  return { lost, far }
}

function whole() {
  const layout = lay(drawn())
  const { lost, far } = names(layout)
  layout.scale.carWidth *= 1.18
  const own = new Map(pairs.flatMap((pair) => pair.map((route) => [route.id, pair[0].id])))
  const crowd = overlaps(layout)
    .filter((o) => own.get(o.route) !== own.get(o.other))
    .reduce((sum, o) => sum + 2 * o.depth ** 1.5 + 1, 0)
  const bend = [...chosen.values()].reduce((sum, bow) => sum + 60 * Math.abs(bow) ** 1.3, 0)
  return { cost: crowd + bend + lost.size * 25 + far * 1.2, lost, far }
}

for (let pass = 0; pass < 4; pass++) {
  let now = whole()
  const before = now.cost
  console.log(
    `names: cost ${now.cost.toFixed(1)}, far ${now.far.toFixed(1)}, lost ${[...now.lost].join(' ') || 'none'}`,
  )
  const tight = new Set(overlaps(lay(drawn())).flatMap((o) => [o.route, o.other]))
  for (const pair of pairs.filter((pair) =>
    pair.some(({ id, a, b }) => now.lost.has(a) || now.lost.has(b) || tight.has(id)),
  )) {
    const id = pair[0].id
    if (byHand[id]) continue
    let best = chosen.get(id)
    for (const bow of bows) {
      chosen.set(id, bow)
      const next = whole()
      if (next.cost < now.cost - 1e-9) [now, best] = [next, bow]
    }
    chosen.set(id, best)
  }
  if (whole().cost > before - 0.5) break
}
console.log('lost at the end:', [...whole().lost].join(' ') || 'none')

for (const { route, other, depth } of overlaps(lay(drawn()))) console.log(depth.toFixed(1), route, other)

if (write === '--write') {
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => {
      const id = /^ {4}\{"id": "([^"]+)", "a": /.exec(line)?.[1]
      const pair = id && pairs.find((p) => p.some((route) => route.id === id))
      if (!pair) return line
      const bends = bent(pair, chosen.get(pair[0].id))
      const plain = line.replace(/, "bends": \[.*\]\}/, '}')
      return bends.length === 0
        ? plain
        : plain.replace(/\}(,?)$/, `, "bends": ${JSON.stringify(bends).replaceAll(',', ', ')}}$1`)
    })
  writeFileSync(file, lines.join('\n'))
}
