import { runnerImport } from 'vite'
import { readFileSync } from 'node:fs'
const load = async (p) => (await runnerImport(p)).module
const { lay } = await load('./src/board/geometry.ts')
const { placeLabels } = await load('./src/board/labels.ts')
for (const m of ['europe','new-york']) {
const map = JSON.parse(readFileSync(`../src/branchline/maps/${m}.json`,'utf8'))
const layout = lay(map)
console.log(m, layout.scale)
const names=Object.fromEntries(map.cities.map(c=>[c.id,c.name.en]))
for (const size of m=='europe'?[14,16,17,24,36]:[15,17,18]) { const t=performance.now()
 const out=placeLabels(layout,{size,measure:t=>t.length*.55*size,nameOf:id=>names[id]})
 const have=new Set(out.map(l=>l.city))
 placeLabels(layout,{size,measure:t=>t.length*.55*size,nameOf:id=>names[id]});const t2=performance.now();placeLabels(layout,{size,measure:t=>t.length*.535*size,nameOf:id=>names[id]});console.log((performance.now()-t2).toFixed(0),size,out.length,(performance.now()-t).toFixed(0)+'ms',map.cities.filter(c=>!have.has(c.id)).map(c=>c.id).join(' ')) }
}
