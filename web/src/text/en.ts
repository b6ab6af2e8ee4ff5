/** English. Messages are ICU; `world` is `rail` or `city` and is always there. */
import app from './en/app'
import board from './en/board'
import end from './en/end'
import log from './en/log'
import play from './en/play'
import rules from './en/rules'
import table from './en/table'
import why from './en/why'

const en = { ...app, ...table, ...board, ...play, ...log, ...why, ...end, ...rules }

export type Key = keyof typeof en
export type Texts = Readonly<Record<Key, string>>
export default en as Texts
