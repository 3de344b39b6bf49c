import { PUBLISHING_CASES } from './cases/publishing.ts';
import { testFaults } from './support/test-faults.ts';

testFaults('publishing', PUBLISHING_CASES);
