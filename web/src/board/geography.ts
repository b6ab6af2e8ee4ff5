/** What lies under the routes of a map that has a picture; any other map is drawn on plain paper. */
export interface Geography {
  readonly land: string
  /** Meridians and parallels, on the sea only. */
  readonly grid?: string
  readonly rivers?: string
  /** x, y and size of each mountain. */
  readonly peaks?: readonly (readonly number[])[]
  readonly parks?: string
  readonly ponds?: string
  /** Fine lines of a town's streets. */
  readonly streets?: string
  readonly bridges?: string
  /** x, y and radius of a compass rose. */
  readonly rose?: readonly number[]
}

const files = import.meta.glob<Geography>('../../../src/branchline/maps/geography/*.json', { import: 'default' })

export async function geographyOf(map: string): Promise<Geography | null> {
  return (await files[`../../../src/branchline/maps/geography/${map}.json`]?.()) ?? null
}
