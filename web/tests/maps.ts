import { readFileSync } from 'node:fs'
import type { MapFile } from '../src/board/map'

type WholeMap = MapFile & { cards: Record<string, number>; tickets: { a: string; b: string }[] }

const load = (name: string): WholeMap =>
  JSON.parse(readFileSync(new URL(`../../src/branchline/maps/${name}.json`, import.meta.url), 'utf8')) as WholeMap

export const europe = load('europe')
export const newYork = load('new-york')
export const both = [europe, newYork]

/** The scale of a board that is fitted into so many pixels. */
export const fitted = (map: MapFile, width: number, height: number): number =>
  0.985 * Math.min(width / map.size.width, height / map.size.height)
