/** Writes docs/faults.md from the tables of test/service/faults: `npm run docs:faults`. */
import { writeFileSync } from 'node:fs';
import { FAULTS_FILE, faultsDocument } from '../../test/service/faults/document.ts';

writeFileSync(FAULTS_FILE, faultsDocument());
