// Two projects: tests of the library run with a guard that asserts that no
// test leaves a tensor behind; tests of the repository itself need no wasm, and
// those of the loader and of traps load it themselves.
const REPOSITORY = ['complete', 'layers', 'loader', 'repository', 'setup', 'trap'];

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
  moduleNameMapper: {
    // The glue stands beside the modules only in the package.
    '^\\./tidemark-glue\\.js$': '<rootDir>/dist/tidemark-glue.js',
    // Sources import './x.js' and mean './x.ts'.
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
};

export default {
  // No test measures time, and machines are shared: five seconds, Jest's limit, pass in collections alone.
  testTimeout: 60_000,
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
