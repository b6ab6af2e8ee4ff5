/** 简体中文。用语依简体中文版：车票、彩虹票、任务牌，说“占领路线”；纽约：交通卡、出租车、地点。 */
import type { Texts } from './en'
import app from './zh-Hans/app'
import board from './zh-Hans/board'
import end from './zh-Hans/end'
import log from './zh-Hans/log'
import play from './zh-Hans/play'
import rules from './zh-Hans/rules'
import table from './zh-Hans/table'
import why from './zh-Hans/why'

export default { ...app, ...table, ...board, ...play, ...log, ...why, ...end, ...rules } satisfies Texts as Texts
