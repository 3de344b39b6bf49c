import { STORE_CASES } from './cases/store.ts';
import { testFaults } from './support/test-faults.ts';

testFaults('the store', STORE_CASES);
