import type { Browser, BrowserContextOptions, Page } from 'playwright-core'

export function open(): Promise<{
  browser: Browser
  base: string
  page(query: string, viewport: { width: number; height: number }, options?: BrowserContextOptions): Promise<Page>
  close(): Promise<void>
}>
