// A thin-plate spline: the smoothest bend of the plane that puts each source point on its target.

const kernel = (d2) => (d2 === 0 ? 0 : d2 * Math.log(d2))

/** @param {[number, number][]} from @param {[number, number][]} to */
export function warp(from, to) {
  const n = from.length
  const rows = Array.from({ length: n + 3 }, (_, i) => {
    const row = new Array(n + 5).fill(0)
    if (i < n) {
      for (let j = 0; j < n; j++) row[j] = kernel((from[i][0] - from[j][0]) ** 2 + (from[i][1] - from[j][1]) ** 2)
      row[n] = 1
      row[n + 1] = from[i][0]
      row[n + 2] = from[i][1]
      row[n + 3] = to[i][0]
      row[n + 4] = to[i][1]
    } else {
      for (let j = 0; j < n; j++) row[j] = [1, from[j][0], from[j][1]][i - n]
    }
    return row
  })
  const weights = solve(rows, n + 3)
  return ([x, y]) =>
    [0, 1].map((axis) => {
      let sum = weights[n][axis] + weights[n + 1][axis] * x + weights[n + 2][axis] * y
      for (let j = 0; j < n; j++) sum += weights[j][axis] * kernel((x - from[j][0]) ** 2 + (y - from[j][1]) ** 2)
      return sum
    })
}

/** The affine map nearest to the pairs, for places far from every city, where a spline would run wild. */
export function affine(from, to) {
  const rows = [0, 1, 2].map((i) => {
    const base = (p) => [1, p[0], p[1]]
    const row = [0, 0, 0, 0, 0]
    from.forEach((p, k) => {
      const b = base(p)
      for (let j = 0; j < 3; j++) row[j] += b[i] * b[j]
      row[3] += b[i] * to[k][0]
      row[4] += b[i] * to[k][1]
    })
    return row
  })
  const w = solve(rows, 3)
  return ([x, y]) => [0, 1].map((axis) => w[0][axis] + w[1][axis] * x + w[2][axis] * y)
}

/** Gauss with pivoting; the last two columns are the right-hand sides. */
function solve(rows, n) {
  for (let c = 0; c < n; c++) {
    let best = c
    for (let r = c + 1; r < n; r++) if (Math.abs(rows[r][c]) > Math.abs(rows[best][c])) best = r
    ;[rows[c], rows[best]] = [rows[best], rows[c]]
    for (let r = 0; r < n; r++) {
      if (r === c) continue
      const f = rows[r][c] / rows[c][c]
      if (f !== 0) for (let k = c; k < n + 2; k++) rows[r][k] -= f * rows[c][k]
    }
  }
  return rows.map((row, i) => [row[n] / row[i], row[n + 1] / row[i]])
}
