import { CLOCK_CASES } from './cases/clock.ts';
import { PRICE_CASES } from './cases/prices.ts';
import { TIME_CASES } from './cases/time.ts';
import { testFaults } from './support/test-faults.ts';

// The clocks first: the longer the upstream's has stood still, the less its difference says.
testFaults('clocks, prices and time', [...CLOCK_CASES, ...PRICE_CASES, ...TIME_CASES]);
