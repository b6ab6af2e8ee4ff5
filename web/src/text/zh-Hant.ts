/** 繁體中文（台灣）。用語依繁體中文版：車票卡、彩色車票卡、任務卡、佔據路線；紐約：交通卡、計程車卡、佔領路線。 */
import type { Texts } from './en'
import app from './zh-Hant/app'
import board from './zh-Hant/board'
import end from './zh-Hant/end'
import log from './zh-Hant/log'
import play from './zh-Hant/play'
import rules from './zh-Hant/rules'
import table from './zh-Hant/table'
import why from './zh-Hant/why'

export default { ...app, ...table, ...board, ...play, ...log, ...why, ...end, ...rules } satisfies Texts as Texts
