const data = JSON.parse(document.getElementById('data').textContent)
const chart = document.getElementById('chart')
const cursor = document.getElementById('cursor')
const slider = document.getElementById('at')
const told = document.getElementById('told')
const lines = document.getElementById('lines')
const [left, right, width, last] = ['left', 'right', 'width', 'last'].map((name) => Number(chart.dataset[name]))
let at = last

function select(n) {
  at = Math.max(0, Math.min(last, n))
  const entry = data.entries[at]
  slider.value = String(at)
  cursor.setAttribute('transform', `translate(${left + ((right - left) * at) / last} 0)`)
  document.getElementById('when').textContent = entry.when
  document.getElementById('chances').textContent = entry.chances.join(' · ')
  told.className = entry.grade
  lines.replaceChildren(
    ...entry.lines.filter(Boolean).map((line) => {
      const p = document.createElement('p')
      p.textContent = line
      return p
    }),
  )
  for (const [id, from] of Object.entries(data.pieces)) {
    document.getElementById(`piece-${id}`)?.classList.toggle('gone', from > at)
    document.getElementById(id)?.classList.toggle('gone', from <= at)
  }
  for (const marked of document.querySelectorAll('.marked')) marked.classList.remove('marked')
  for (const id of entry.marks) {
    for (const element of [document.getElementById(id), document.getElementById(`piece-${id}`)]) {
      element?.classList.add('marked')
    }
  }
}

chart.addEventListener('click', (event) => {
  const box = chart.getBoundingClientRect()
  const x = ((event.clientX - box.left) / box.width) * width
  select(Math.round(((x - left) / (right - left)) * last))
})
slider.addEventListener('input', () => select(Number(slider.value)))
for (const button of document.querySelectorAll('button[data-n]')) {
  button.addEventListener('click', () => select(Number(button.dataset.n)))
}
document.addEventListener('keydown', (event) => {
  if (event.target === slider) return
  if (event.key === 'ArrowLeft') select(at - 1)
  if (event.key === 'ArrowRight') select(at + 1)
})
select(last)
