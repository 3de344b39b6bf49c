import { LIE_CASES } from './cases/lies.ts';
import { testFaults } from './support/test-faults.ts';

testFaults('a lying catalogue', LIE_CASES);
