// Two projects: tests of the library run with a guard that asserts that no
// test leaves a tensor behind; tests of the repository itself need no wasm.
const REPOSITORY = ['layers', 'repository', 'setup'];

const shared = {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          parser: { syntax: 'typescript', explicitResourceManagement: true },
          target: 'es2022',
        },
        module: { type: 'es6' },
      },
    ],
  },
  // Sources import './x.js' and mean './x.ts'.
  moduleNameMapper: { '^(\\.{1,2}/(?!.*tidemark-(?:simd|relaxed)).*)\\.js$': '$1' },
  modulePathIgnorePatterns: ['<rootDir>/build/', '<rootDir>/dist/', '<rootDir>/demo/dist/'],
};

export default {
  projects: [
    {
      ...shared,
      displayName: 'library',
      testMatch: ['<rootDir>/tests/js/**/*.test.ts'],
      testPathIgnorePatterns: REPOSITORY.map((name) => `/tests/js/${name}\\.test\\.ts$`),
      setupFilesAfterEnv: ['<rootDir>/tests/js/support/no_leaks.ts'],
    },
    {
      ...shared,
      displayName: 'repository',
      testMatch: REPOSITORY.map((name) => `<rootDir>/tests/js/${name}.test.ts`),
    },
  ],
};
