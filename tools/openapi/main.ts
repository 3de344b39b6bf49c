/** `npm run openapi`: the document of the API. Options: see USAGE. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readArguments } from '../arguments.ts';
import { openApiDocument } from './document.ts';

const USAGE = `Usage: npm run openapi -- [--check]

Writes docs/openapi.json.
--check   writes nothing, and fails if the file is not current`;

const FILE = join(import.meta.dirname, '../../docs/openapi.json');
const { check = false } = readArguments(USAGE, { check: { type: 'boolean' } });
const text = `${JSON.stringify(openApiDocument(), null, 2)}\n`;

if (!check) {
  writeFileSync(FILE, text);
} else if (readFileSync(FILE, 'utf8') !== text) {
  console.error('docs/openapi.json is not current. Run npm run openapi and commit the file.');
  process.exitCode = 1;
}
