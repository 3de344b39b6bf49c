import { isolated } from './jest.config.js';

/**
 * Mutation tests: small faults are put into the code one by one, and a unit test has to notice each. Everything
 * takes hours; one file: `npm run test:mutation -- --mutate lambda/domain/change.ts`, which runs all unit tests of
 * lambda/ that import it. Minutes become seconds when it is measured by its own tests alone, as a room is:
 * `MUTATION_TESTS='domain/change*' npm run test:mutation -- --mutate lambda/domain/change.ts`
 * `MUTATION_TESTS='http/*' npm run test:mutation -- --mutate 'lambda/http/*.ts'`
 *
 * npm fetches Stryker, with a hundred packages, when it is run: installing the project need not wait for them.
 */
export default {
  mutate: ['lambda/{rate-limit,snapshots,refresh,polymarket,domain,http}/**/*.ts'],
  testRunner: 'jest',
  testRunnerNodeArgs: ['--experimental-vm-modules', '--no-warnings'],
  jest: {
    projectType: 'custom',
    config: {
      // Over jest.config.js: jest itself has to load the modules, so that it is told which mutant is on. These tests
      // synthesise nothing, and the process for it would start with every mutant.
      ...isolated,
      projects: undefined,
      globalSetup: null,
      globalTeardown: null,
      testTimeout: 20_000,
      testMatch: [`<rootDir>/test/unit/lambda/${process.env.MUTATION_TESTS ?? '**/*'}.test.ts`],
      maxWorkers: 1,
    },
    // Not where the tests are named: to find them in the graph of all imports takes longer than to run them.
    enableFindRelatedTests: process.env.MUTATION_TESTS === undefined,
  },
  coverageAnalysis: 'perTest',
  concurrency: 2,
  // Each run leaves its modules behind in the process: 3 GB after some hundred.
  maxTestRunnerReuse: 40,
  // A mutant that times out counts as noticed: on a busy machine, 5 s above the usual time would flatter the score.
  timeoutMS: 60_000,
  // swc strips types and checks none: the sources need no @ts-nocheck, and tests that read sources see them unchanged.
  disableTypeChecks: false,
  // A file that is not there: Stryker would rewrite tsconfig.json by a call that TypeScript 7 no longer has.
  tsconfigFile: 'none',
  ignorePatterns: ['.venv', 'cdk.out', 'coverage', 'dist'],
  cleanTempDir: 'always',
  incremental: true,
  incrementalFile: 'node_modules/.cache/stryker/incremental.json',
  reporters: ['clear-text', 'progress'],
  clearTextReporter: { logTests: false, reportTests: false },
  thresholds: { high: 95, low: 90, break: 90 },
};
