import { CATALOGUE_CASES } from './cases/catalogue.ts';
import { UNIVERSE_CASES } from './cases/universe.ts';
import { testFaults } from './support/test-faults.ts';

testFaults('the catalogue', [...CATALOGUE_CASES, ...UNIVERSE_CASES]);
