// Pictures of the boards to look at: `npm run shots [-- word …]` takes those whose name holds every word.
import { mkdirSync } from 'node:fs'
import { open } from './browser.mjs'

const words = process.argv.slice(2)
const sizes = { desktop: [1280, 800], large: [2560, 1440], tablet: [820, 1180], phone: [390, 844], rail: [960, 620] }
const shots = [
  { name: 'signs-day', query: 'signs', size: [1200, 640] },
  { name: 'signs-night', query: 'signs&theme=night', size: [1200, 640] },
]
for (const map of ['europe', 'new-york', 'paper']) {
  for (const state of ['empty', 'turn', 'half', 'full', 'ticket']) {
    for (const theme of ['day', 'night']) {
      for (const lang of ['en', 'zh-Hant', 'zh-Hans']) {
        for (const [name, size] of Object.entries(sizes)) {
          shots.push({
            name: `${map}-${state}-${theme}-${lang}-${name}`,
            query: `bare&map=${map}&state=${state}&theme=${theme}&lang=${lang}`,
            size,
          })
        }
      }
    }
  }
}
const few = words.length ? words : ['europe-', '-en-']
const { page, close } = await open()
mkdirSync('shots', { recursive: true })
for (const { name, query, size } of shots.filter((shot) => few.every((word) => `${shot.name}-`.includes(word)))) {
  const tab = await page(
    query,
    { width: size[0], height: size[1] },
    name.includes('phone') || name.includes('tablet') ? { deviceScaleFactor: 2 } : {},
  )
  await tab.screenshot({ path: `shots/${name}.png` })
  await tab.context().close()
  console.log(name)
}
await close()
