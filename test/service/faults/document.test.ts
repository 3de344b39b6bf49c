import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { FAULTS_FILE, faultsDocument } from './document.ts';

it('is written down in docs/faults.md; if not: npm run docs', () => {
  expect(readFileSync(FAULTS_FILE, 'utf8')).toBe(faultsDocument());
});
