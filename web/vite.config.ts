import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  base: '/',
  plugins: [svelte()],
  // The gallery reads the real map files, which live with the engine.
  server: { fs: { allow: ['..'] } },
  build: { outDir: '../src/branchline/server/static', emptyOutDir: true, target: 'es2022' },
  test: { include: ['tests/**/*.test.ts'] },
})
