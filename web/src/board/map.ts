/** What the painter reads of a map file; rules, cards and tickets stay with the server. */

export type Lang = 'en' | 'zh-Hant' | 'zh-Hans'
export type Kind = 'track' | 'tunnel' | 'ferry'
export type Names = Readonly<Record<Lang, string>>

export interface City {
  readonly id: string
  readonly name: Names
  readonly x: number
  readonly y: number
  readonly attraction?: boolean
}

export interface Route {
  readonly id: string
  readonly a: string
  readonly b: string
  readonly length: number
  readonly colour: string
  readonly kind: Kind
  readonly wilds: number
  /** Points the drawing passes through between the two cities. */
  readonly bends?: readonly (readonly [number, number])[]
}

export interface MapFile {
  readonly id: string
  readonly name: Names
  readonly size: { readonly width: number; readonly height: number }
  readonly cities: readonly City[]
  readonly routes: readonly Route[]
}
