// Draws what lies under the New York board: our own sketch of the shores, in the map file's units. `npm run geography`.
import { writeFileSync } from 'node:fs'

const hudson = [
  [70, -760],
  [44, -420],
  [28, -140],
  [24, 60],
  [18, 200],
  [24, 300],
  [44, 390],
  [74, 478],
  [108, 566],
  [142, 650],
  [170, 728],
  [206, 800],
  [256, 856],
  [312, 892],
]
const east = [
  [378, 892],
  [424, 856],
  [452, 806],
  [486, 770],
  [548, 744],
  [606, 712],
  [636, 660],
  [634, 600],
  [608, 540],
  [592, 480],
  [578, 410],
  [558, 330],
  [550, 250],
  [560, 160],
  [592, 40],
  [640, -120],
  [690, -320],
  [730, -760],
]
const jersey = [
  [-70, -760],
  [-88, -420],
  [-102, -120],
  [-100, 100],
  [-92, 260],
  [-66, 400],
  [-30, 520],
  [4, 630],
  [34, 730],
  [58, 820],
  [62, 900],
  [34, 980],
  [-10, 1060],
  [-30, 1180],
  [10, 1300],
  [-20, 1600],
]
const brooklyn = [
  [840, -760],
  [800, -420],
  [756, -220],
  [706, -60],
  [668, 70],
  [642, 180],
  [636, 270],
  [650, 356],
  [664, 410],
  [704, 428],
  [706, 444],
  [672, 452],
  [688, 520],
  [708, 590],
  [712, 660],
  [690, 722],
  [640, 760],
  [574, 776],
  [520, 806],
  [502, 860],
  [516, 930],
  [556, 990],
  [540, 1050],
  [584, 1130],
  [560, 1240],
  [640, 1600],
]

const r = (v) => Math.round(v * 10) / 10

/** A smooth open line through the points, as cubic curves. */
function smooth(points, first = 'M') {
  let d = `${first}${r(points[0][0])} ${r(points[0][1])}`
  for (let i = 0; i + 1 < points.length; i++) {
    const [p0, p1, p2, p3] = [points[i - 1] ?? points[i], points[i], points[i + 1], points[i + 2] ?? points[i + 1]]
    d += `C${r(p1[0] + (p2[0] - p0[0]) / 6)} ${r(p1[1] + (p2[1] - p0[1]) / 6)} ${r(p2[0] - (p3[0] - p1[0]) / 6)} ${r(p2[1] - (p3[1] - p1[1]) / 6)} ${r(p2[0])} ${r(p2[1])}`
  }
  return d
}

/** Where a shore is at a height. */
const at = (shore, y) => {
  for (let i = 0; i + 1 < shore.length; i++) {
    const [p, q] = [shore[i], shore[i + 1]]
    if ((p[1] - y) * (q[1] - y) <= 0 && p[1] !== q[1]) return p[0] + ((y - p[1]) / (q[1] - p[1])) * (q[0] - p[0])
  }
  return null
}

/** Piers reach into the river from a shore. */
const piers = (shore, from, to, step, length, side) => {
  let d = ''
  for (let y = from, i = 0; y < to; y += step, i++) {
    const x = at(shore, y) - side * 3
    const reach = side * (length * (0.75 + 0.35 * Math.abs(Math.sin(i * 2.3))) + 3)
    const tilt = side * 4
    d += `M${r(x)} ${r(y)}l${r(reach)} ${r(tilt)}l0 5.5l${r(-reach)} ${r(-tilt)}z`
  }
  return d
}

const oval = (x, y, a, b, turn) =>
  `M${r(x - a * Math.cos(turn))} ${r(y - a * Math.sin(turn))}${`a${a} ${b} ${r((turn * 180) / Math.PI)} 1 0 `}${r(2 * a * Math.cos(turn))} ${r(2 * a * Math.sin(turn))}a${a} ${b} ${r((turn * 180) / Math.PI)} 1 0 ${r(-2 * a * Math.cos(turn))} ${r(-2 * a * Math.sin(turn))}z`

const manhattan = smooth(hudson) + smooth([hudson.at(-1), [345, 899], ...east], 'L') + 'z'
const land = [
  manhattan,
  smooth(jersey) + 'L-1500 1600L-1500 -760z',
  smooth(brooklyn) + 'L2100 1600L2100 -760z',
  oval(622, -10, 92, 7.5, -1.28),
  oval(424, 962, 36, 20, 0.5),
  oval(150, 930, 13, 9, 0.3),
  oval(112, 872, 10, 7, 0.6),
  piers(hudson, 150, 700, 34, 17, -1),
  piers(jersey, 420, 800, 46, 14, 1),
  piers(brooklyn, 560, 700, 40, 12, -1),
].join('')

const heights = (from, to, step) =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, i) => from + i * step)
const across = (f, y) => {
  const [w, e] = [at(hudson, y), at(east, y)]
  return [w + (e - w) * f, y + (f - 0.5) * 34]
}
const avenues = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9].map((f) =>
  smooth(heights(-700, 600, 50).map((y) => across(f, y))),
)
const streets = heights(-690, 690, 32).map((y) => {
  const [p, q] = [across(0.025, y), across(0.975, y)]
  return `M${r(p[0])} ${r(p[1])}L${r(q[0])} ${r(q[1])}`
})
const downtown = [...[0.25, 0.5, 0.75].map((f) => smooth([600, 660, 720, 780, 830].map((y) => across(f, y))))]

/** Straight streets over a shore's land, on the side away from the river. */
function beyond(shore, side, turn, step) {
  const lines = []
  const [c, s] = [Math.cos(turn), Math.sin(turn)]
  for (const [ux, uy] of [
    [c, s],
    [-s, c],
  ]) {
    for (let k = -30; k <= 30; k++) {
      const [ox, oy] = [(side > 0 ? 1100 : -500) - uy * k * step, 400 + ux * k * step]
      let run = null
      for (let t = -1400; t <= 1400; t += 6) {
        const [x, y] = [ox + ux * t, oy + uy * t]
        const edge = y > -750 && y < 1590 ? at(shore, y) : null
        const inside = edge !== null && (x - edge) * side > 12 && Math.abs(x - 340) < 1350
        if (inside)
          run = run
            ? [run[0], [x, y]]
            : [
                [x, y],
                [x, y],
              ]
        if (run && (!inside || t + 6 > 1400)) {
          if (run[0][0] !== run[1][0]) lines.push(`M${r(run[0][0])} ${r(run[0][1])}L${r(run[1][0])} ${r(run[1][1])}`)
          run = null
        }
      }
    }
  }
  return lines
}
// Broadway ignores the grid.
const broadway = smooth([
  [96, -700],
  [130, -300],
  [150, -60],
  [196, 110],
  [246, 222],
  [286, 350],
  [338, 470],
  [352, 600],
  [336, 720],
  [346, 828],
  [350, 880],
])

const park = 'M204 -420L408 -402L424 112L196 92Z'
const ponds = oval(312, -150, 60, 34, 0.05) + oval(268, 10, 34, 12, -0.5) + oval(396, 92, 14, 7, 0.3)
const greens = [oval(328, 872, 9, 5, 0.4), oval(850, 900, 62, 40, 0.9), oval(-240, 300, 70, 26, 1.4)]
const bridges = 'M556 132L660 106M624 676L704 690M540 744L582 778M478 774L516 812'

const out = {
  land,
  streets: [
    ...avenues,
    ...streets,
    ...downtown,
    broadway,
    ...beyond(brooklyn, 1, 0.42, 74),
    ...beyond(jersey, -1, -0.3, 74),
  ].join(''),
  parks: [park, ...greens].join(''),
  ponds,
  bridges,
}
const text = JSON.stringify(out)
writeFileSync(new URL('../../src/branchline/maps/geography/new-york.json', import.meta.url), text + '\n')
console.log(`New York: ${(text.length / 1024).toFixed(1)} kB`)
