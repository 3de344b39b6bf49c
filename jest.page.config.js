import { isolated, run } from './jest.config.js';

/** The tests in a real browser: `npm run test:page`. */
export default {
  ...isolated,
  ...run,
  testMatch: ['<rootDir>/test/page/**/*.page.ts'],
  // A browser and a service at once: one file after the other.
  maxWorkers: 1,
  testTimeout: 60_000,
};
