import { LIVE_LIE_CASES } from './cases/live-lies.ts';
import { testFaults } from './support/test-faults.ts';

testFaults('books and histories that lie', LIVE_LIE_CASES);
