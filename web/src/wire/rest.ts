/** The server's HTTP side. */
import type { MapData } from '../game/map-data'
import type {
  BotLine,
  ChallengeInfo,
  ChallengeLine,
  DeviceLink,
  Looked,
  Forgotten,
  MapLine,
  Me,
  Moves,
  MyGames,
  NewChallenge,
  NewTable,
  Practise,
  Problem,
  PuzzleAnswer,
  PuzzleInfo,
  PuzzleList,
  ReviewState,
  SeatPlan,
  Session,
  Sit,
  TableInfo,
  TableLine,
} from './messages'

/** Nothing was done; `code` is a word to compare, `offline` if nobody answered. */
export class Refused extends Error {
  constructor(
    readonly problem: Problem,
    readonly status: number,
  ) {
    super(problem.text)
  }
}

const OFFLINE: Problem = { code: 'offline', text: 'the server does not answer', rule: null }

async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  let response: Response
  try {
    response = await fetch(`/api${path}`, {
      method,
      credentials: 'same-origin',
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
    })
  } catch {
    throw new Refused(OFFLINE, 0)
  }
  const data: unknown = await response.json().catch(() => null)
  if (!response.ok)
    throw new Refused(
      isProblem(data) ? data : { code: 'unknown', text: response.statusText, rule: null },
      response.status,
    )
  return data as T
}

const isProblem = (data: unknown): data is Problem =>
  typeof data === 'object' && data !== null && 'code' in data && 'text' in data

const table = (id: string): string => `/tables/${encodeURIComponent(id)}`

export const rest = {
  me: () => call<Me | null>('GET', '/me'),
  nameMe: (name: string, language: string) => call<Me>('PUT', '/me', { name, language }),
  linkDevice: () => call<DeviceLink>('POST', '/me/links'),
  redeem: (token: string, instead: boolean) => call<Me>('POST', '/me/links/redeem', { token, instead }),
  sessions: () => call<readonly Session[]>('GET', '/me/sessions'),
  endSession: (id: string) => call<readonly Session[]>('DELETE', `/me/sessions/${encodeURIComponent(id)}`),
  endOthers: () => call<readonly Session[]>('DELETE', '/me/sessions'),
  maps: () => call<readonly MapLine[]>('GET', '/maps'),
  map: (id: string) => call<MapData>('GET', `/maps/${encodeURIComponent(id)}`),
  bots: () => call<readonly BotLine[]>('GET', '/bots'),
  myTables: () => call<readonly TableLine[]>('GET', '/me/tables'),
  openTables: () => call<readonly TableLine[]>('GET', '/tables'),
  open: (asked: NewTable) => call<TableInfo>('POST', '/tables', asked),
  byCode: (code: string) => call<TableInfo>('GET', `/codes/${encodeURIComponent(code)}`),
  table: (id: string) => call<TableInfo>('GET', table(id)),
  sit: (id: string, seat: number, asked: Sit) => call<TableInfo>('POST', `${table(id)}/seats/${seat}/sit`, asked),
  leave: (id: string, seat: number) => call<TableInfo>('POST', `${table(id)}/seats/${seat}/leave`),
  plan: (id: string, seat: number, plan: SeatPlan) => call<TableInfo>('PUT', `${table(id)}/seats/${seat}`, plan),
  handToBot: (id: string, seat: number) => call<TableInfo>('POST', `${table(id)}/seats/${seat}/hand-to-bot`),
  takeBack: (id: string, seat: number) => call<TableInfo>('POST', `${table(id)}/seats/${seat}/take-back`),
  release: (id: string, seat: number) => call<TableInfo>('POST', `${table(id)}/seats/${seat}/release`),
  handOn: (id: string, person: string) => call<TableInfo>('PUT', `${table(id)}/owner`, { person }),
  nameFirst: (id: string, seat: number | null) => call<TableInfo>('PUT', `${table(id)}/first`, { seat }),
  botPace: (id: string, pace: TableInfo['bots']) => call<TableInfo>('PUT', `${table(id)}/bots`, { pace }),
  skip: (id: string) => call<TableInfo>('POST', `${table(id)}/skip`),
  ban: (id: string, person: string, banned: boolean) => call<TableInfo>('PUT', `${table(id)}/bans`, { person, banned }),
  silence: (id: string, person: string, silenced: boolean) =>
    call<TableInfo>('PUT', `${table(id)}/silences`, { person, silenced }),
  start: (id: string) => call<TableInfo>('POST', `${table(id)}/start`),
  abandon: (id: string, agree: boolean) => call<TableInfo>('PUT', `${table(id)}/abandon`, { agree }),
  rematch: (id: string) => call<TableInfo>('POST', `${table(id)}/rematch`),
  record: (id: string) => call<Readonly<Record<string, unknown>>>('GET', `${table(id)}/record`),
  moves: (id: string) => call<Moves>('GET', `${table(id)}/moves`),
  challenge: (id: string) => call<ChallengeInfo>('GET', `/challenges/${encodeURIComponent(id)}`),
  challenges: () => call<readonly ChallengeLine[]>('GET', '/me/challenges'),
  makeChallenge: (asked: NewChallenge) => call<ChallengeInfo>('POST', '/challenges', asked),
  playChallenge: (id: string, bots: TableInfo['bots']) =>
    call<TableInfo>('POST', `/challenges/${encodeURIComponent(id)}/play`, { bots }),
  endChallenge: (id: string) => call<ChallengeInfo>('POST', `/challenges/${encodeURIComponent(id)}/end`),
  games: () => call<MyGames>('GET', '/me/games'),
  forgetGames: () => call<Forgotten>('DELETE', '/me/games'),
  puzzles: () => call<PuzzleList>('GET', '/puzzles'),
  puzzle: (id: string) => call<PuzzleInfo>('GET', `/puzzles/${encodeURIComponent(id)}`),
  tryPuzzle: (id: string, action: string) =>
    call<PuzzleAnswer>('POST', `/puzzles/${encodeURIComponent(id)}/answer`, { action }),
  review: (id: string, depth: number) => call<ReviewState>('POST', `${table(id)}/review`, { depth }),
  reviewOf: (id: string, depth: number) => call<ReviewState>('GET', `${table(id)}/review?depth=${depth}`),
  reviewRecord: (record: string, depth: number) => call<ReviewState>('POST', `/records/review?depth=${depth}`, record),
  reviewOfRecord: (game: string, depth: number) => call<ReviewState>('GET', `/reviews/${game}?depth=${depth}`),
  practise: (id: string, how: Practise) => call<TableInfo>('POST', `${table(id)}/practice`, how),
  practiseRecord: (record: string, how: Practise) =>
    call<TableInfo>('POST', `/records/practice?how=${encodeURIComponent(JSON.stringify(how))}`, record),
  look: (record: string) => call<Looked>('POST', '/records', record),
}
