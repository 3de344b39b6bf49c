import { PRICE_LIE_CASES } from './cases/price-lies.ts';
import { testFaults } from './support/test-faults.ts';

testFaults('midpoints and histories that lie', PRICE_LIE_CASES);
