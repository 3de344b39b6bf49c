import './local/node-version.mjs';

const base = {
  setupFilesAfterEnv: ['<rootDir>/test/support/setup.ts'],
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': '<rootDir>/test/support/strip-types.cjs' },
  // The package of the client, if it was built, has the name of its sources.
  modulePathIgnorePatterns: ['<rootDir>/packages/client/dist'],
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/page/', '<rootDir>/test/deploy/'],
};

/** @type {import('jest').Config} */
export default {
  // For a machine with ten times the load. The few tests that take longer there have
  // `jest.setTimeout`. Helpers that wait (`passTimer`, `received`) end sooner and name what they
  // wait for.
  testTimeout: 20_000,
  maxWorkers: 2,
  // A worker's memory grows with each test file, to 1 GB. Jest kills a worker that takes longer
  // than 500 ms to end, and warns of a leak. On a busy machine, freeing 1 GB takes longer.
  workerIdleMemoryLimit: '300MB',
  reporters: ['default', '<rootDir>/test/support/sentences-reporter.js'],
  // Each run has another order, which its seed repeats: `npm test -- --seed=N`.
  randomize: true,
  projects: [
    {
      ...base,
      displayName: 'unit',
      // The page imports the sources of the client package, as its bundle does.
      moduleNameMapper: { '^market-data-proxy-client$': '<rootDir>/packages/client/src/index.ts' },
      testMatch: ['<rootDir>/test/{lambda,local,tools,client,market-page,world}/**/*.test.ts'],
    },
    {
      ...base,
      displayName: 'lib',
      testMatch: ['<rootDir>/test/lib/**/*.test.ts'],
      globalSetup: '<rootDir>/test/lib/synthesise.js',
    },
    {
      ...base,
      displayName: 'service',
      testMatch: ['<rootDir>/test/service/**/*.test.ts'],
    },
  ],
};
