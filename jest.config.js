/** What takes minutes by itself: every row of docs/faults.md, hours under a simulated clock, 50,000 markets. */
const LONG = '<rootDir>/test/service/(faults|freshness|growth)/(?!document)';
/** `npm test` alone leaves it to `npm run test:long`; who names a file or folder gets it. */
const isNamed = process.argv.slice(2).some((argument) => /^(--testPathPatterns=|[^-])/.test(argument));

/** @type {import('jest').Config} */
export default {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  testMatch: ['<rootDir>/{test,packages}/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', ...(isNamed ? [] : [LONG])],
  // Copies of the tree that a mutation run works in (stryker.config.mjs).
  modulePathIgnorePatterns: ['<rootDir>/.stryker-tmp/'],
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
  globalSetup: '<rootDir>/test/support/jest-global-setup.js',
  globalTeardown: '<rootDir>/test/support/jest-global-teardown.js',
  reporters: ['default', '<rootDir>/test/support/closing-line-reporter.js'],
  // The tests over HTTP wait more than they compute: every core is worth a worker.
  maxWorkers: '100%',
  testTimeout: 20_000,
};
