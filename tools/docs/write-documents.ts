/** Writes the documents that are made from code, templates and measurements: `npm run docs`. */
import { writeFileSync } from 'node:fs';
import { documents, fileOf } from './documents.ts';

for (const [name, text] of Object.entries(documents())) writeFileSync(fileOf(name), text);
