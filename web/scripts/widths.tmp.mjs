import { open } from './browser.mjs'
const {page,close}=await open(); const t=await page('bare&map=new-york&state=empty',{width:980,height:600});
console.log(await t.evaluate(()=>[...document.querySelectorAll('.names text')].map(e=>[e.textContent,(e.getComputedTextLength()/parseFloat(getComputedStyle(e).fontSize)/e.textContent.length).toFixed(3)].join(' ')).join(', ')))
await close()
