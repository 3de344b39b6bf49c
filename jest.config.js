/** What takes long by itself: every row of docs/faults.md, hours under a simulated clock, thousands of crawls or callers. */
const LONG = ['<rootDir>/test/service/(faults|freshness|growth)/(?!document)', '[.]long[.]test[.]ts$'];
/** `npm test` alone leaves it to `npm run test:long`; who names a file or folder gets it. */
const isNamed = process.argv.slice(2).some((argument) => /^(--testPathPatterns=|[^-])/.test(argument));
const testPathIgnorePatterns = ['/node_modules/', ...(isNamed ? [] : LONG)];

/** How jest loads modules where it does so itself: each test file has its own. */
export const isolated = {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '\\.ts$': [
      '@swc/jest',
      {
        jsc: { target: 'es2024', parser: { syntax: 'typescript' } },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
  // Copies of the tree that a mutation run works in (stryker.config.mjs).
  modulePathIgnorePatterns: ['<rootDir>/.stryker-tmp/'],
};

/** What holds for a whole run. */
export const run = {
  globalSetup: '<rootDir>/test/support/jest-global-setup.js',
  globalTeardown: '<rootDir>/test/support/jest-global-teardown.js',
  reporters: [
    'default',
    '<rootDir>/test/support/endless-file-reporter.js',
    '<rootDir>/test/support/closing-line-reporter.js',
  ],
  // The tests over HTTP wait more than they compute: every core is worth a worker.
  maxWorkers: '100%',
  testTimeout: 20_000,
};

/** @type {import('jest').Config} */
export default {
  ...run,
  projects: [
    {
      // Hundreds of small files: in Node itself, which loads a module once, they take a third of the time (ADR 30).
      displayName: 'unit',
      runner: 'jest-light-runner',
      setupFiles: ['<rootDir>/test/support/jest-globals-in-node.js'],
      testMatch: ['<rootDir>/test/unit/**/*.test.ts'],
      testPathIgnorePatterns,
      modulePathIgnorePatterns: isolated.modulePathIgnorePatterns,
    },
    {
      ...isolated,
      displayName: 'service',
      testMatch: ['<rootDir>/{test/!(unit),packages}/**/*.test.ts'],
      testPathIgnorePatterns,
    },
  ],
};
