import { LIE_CASES } from './cases/lies.ts';
import { PRICE_LIE_CASES } from './cases/price-lies.ts';
import { testFaults } from './support/test-faults.ts';

testFaults('a lying upstream', [...LIE_CASES, ...PRICE_LIE_CASES]);
