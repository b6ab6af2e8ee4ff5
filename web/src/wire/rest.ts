/** The server's HTTP side. */
import type { MapData } from '../game/map-data'
import type {
  BotLine,
  DeviceLink,
  Looked,
  MapLine,
  Me,
  Moves,
  NewTable,
  Problem,
  SeatPlan,
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
  redeem: (token: string) => call<Me>('POST', '/me/links/redeem', { token }),
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
  start: (id: string) => call<TableInfo>('POST', `${table(id)}/start`),
  abandon: (id: string, agree: boolean) => call<TableInfo>('PUT', `${table(id)}/abandon`, { agree }),
  rematch: (id: string) => call<TableInfo>('POST', `${table(id)}/rematch`),
  record: (id: string) => call<Readonly<Record<string, unknown>>>('GET', `${table(id)}/record`),
  moves: (id: string, seat: number | null) =>
    call<Moves>('GET', `${table(id)}/moves${seat === null ? '' : `?seat=${seat}`}`),
  look: (record: string, seat: number | null) =>
    call<Looked>('POST', `/records${seat === null ? '' : `?seat=${seat}`}`, record),
}
