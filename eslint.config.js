import js from '@eslint/js';
import tseslint from 'typescript-eslint';

const plain = { files: ['**/*.{js,mjs,cjs}'] };

export default tseslint.config(
  {
    ignores: ['build/', 'bench/build/', 'dist/', 'demo/dist/', 'js/generated/', 'test-results/', 'tests/conformance/'],
  },
  js.configs.recommended,
  ...tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      // Shapes in messages; functions that may have to wait some day.
      '@typescript-eslint/restrict-template-expressions': ['error', { allowArray: true, allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/require-await': 'off',
      // The contract's methods are plain exports, and tests hand methods around.
      '@typescript-eslint/unbound-method': 'off',
    },
  },
  {
    files: ['js/src/**/*.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        { selector: 'ExportDefaultDeclaration', message: 'Export by name.' },
        { selector: 'TSEnumDeclaration', message: 'Use a union of strings.' },
        { selector: 'PropertyDefinition[accessibility="private"]', message: 'Use #private.' },
        {
          selector: 'BinaryExpression[operator="instanceof"][right.name="ArrayBuffer"]',
          message: 'Fails across realms: use ArrayBuffer.isView or a tag.',
        },
      ],
    },
  },
  // Methods are derived from functions of every shape there.
  {
    files: ['js/src/chain.ts'],
    rules: {
      '@typescript-eslint/no-explicit-any': 'off',
      '@typescript-eslint/no-empty-object-type': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
  // emcc types the memory of its contract as any.
  {
    files: ['js/src/module.ts'],
    rules: {
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
  // Tests pass wrong arguments on purpose.
  {
    files: ['tests/**/*.ts'],
    rules: {
      '@typescript-eslint/no-explicit-any': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
  {
    ...plain,
    ...tseslint.configs.disableTypeChecked,
    languageOptions: {
      parserOptions: { projectService: false },
      globals: Object.fromEntries(
        ['console', 'process', 'URL', 'Buffer', 'setTimeout', 'clearTimeout', 'fetch', 'performance',
          'document', 'window', 'navigator', 'location', 'self', 'WebAssembly', 'structuredClone',
          'queueMicrotask', 'requestAnimationFrame', 'postMessage', 'Worker', 'TextDecoder', 'TextEncoder',
        ].map((name) => [name, 'readonly']),
      ),
    },
  },
);
