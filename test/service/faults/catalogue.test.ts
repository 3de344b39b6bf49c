import { CATALOGUE_CASES } from './cases/catalogue.ts';
import { ODD_CATALOGUE_CASES } from './cases/odd-catalogue.ts';
import { testFaults } from './support/test-faults.ts';

testFaults('the catalogue', [...CATALOGUE_CASES, ...ODD_CATALOGUE_CASES]);
