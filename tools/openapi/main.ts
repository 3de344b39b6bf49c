/**
 * `npm run openapi` writes docs/openapi.json. With `-- --check` it writes nothing and fails if the
 * file is not current.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openApiDocument } from './document.ts';

const FILE = join(import.meta.dirname, '../../docs/openapi.json');
const text = `${JSON.stringify(openApiDocument(), null, 2)}\n`;

if (!process.argv.includes('--check')) {
  writeFileSync(FILE, text);
} else if (readFileSync(FILE, 'utf8') !== text) {
  console.error('docs/openapi.json is not current. Run npm run openapi and commit the file.');
  process.exitCode = 1;
}
