import js from '@eslint/js'
import svelte from 'eslint-plugin-svelte'
import globals from 'globals'
import ts from 'typescript-eslint'
import svelteConfig from './svelte.config.js'

export default ts.config(
  // Written by scripts/wire.py.
  { ignores: ['node_modules', 'src/wire/messages.ts'] },
  js.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [ts.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, extraFileExtensions: ['.svelte'] } },
  },
  // Types inside components are svelte-check's affair; it knows what a component is.
  { files: ['**/*.svelte'], extends: [ts.configs.recommended] },
  svelte.configs.recommended,
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { globals: globals.browser, parserOptions: { parser: ts.parser, svelteConfig } },
    // Props are declared with `let`, as Svelte's own pages do.
    rules: { 'prefer-const': 'off', 'svelte/prefer-const': 'error' },
  },
  { files: ['scripts/**', '*.js'], languageOptions: { globals: { ...globals.node, ...globals.browser } } },
  {
    rules: {
      // TypeScript finds unknown names itself.
      'no-undef': 'off',
      // Addresses of our own router, not of SvelteKit's.
      'svelte/no-navigation-without-resolve': 'off',
      // Sets and maps are replaced here, not changed, where something watches them.
      'svelte/prefer-svelte-reactivity': 'off',
      // The compiler warns of some of these and not of others, depending on who asks.
      'svelte/no-unused-svelte-ignore': 'off',
    },
  },
  {
    files: ['**/*.ts', '**/*.svelte'],
    rules: { '@typescript-eslint/no-unused-vars': ['error', { varsIgnorePattern: '^_', argsIgnorePattern: '^_' }] },
  },
  {
    files: ['**/*.ts'],
    // d3 hands methods about; a refusal by the server is a value with a rule in it, not an Error.
    rules: { '@typescript-eslint/unbound-method': 'off', '@typescript-eslint/prefer-promise-reject-errors': 'off' },
  },
)
