const base = {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': '<rootDir>/test/support/strip-types.cjs' },
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/page/', '<rootDir>/test/deploy/'],
};

/** @type {import('jest').Config} */
export default {
  // Deadlines are generous: no test depends on how fast the machine is.
  testTimeout: 120_000,
  maxWorkers: 2,
  coverageProvider: 'v8',
  collectCoverageFrom: ['lambda/**/*.ts', 'lib/**/*.ts', 'local/**/*.ts'],
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
    { ...base, displayName: 'service', testMatch: ['<rootDir>/test/service/**/*.test.ts'] },
  ],
};
