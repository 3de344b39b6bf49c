/**
 * `npm run openapi` writes docs/openapi.json and the tables of docs/api.md. With `-- --check` it writes nothing and fails
 * if a file is not current.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withTables } from './api-tables.ts';
import { openApiDocument } from './document.ts';

const DOCS = join(import.meta.dirname, '../../docs');
const read = (file: string): string => readFileSync(join(DOCS, file), 'utf8');

const files = {
  'openapi.json': `${JSON.stringify(openApiDocument(), null, 2)}\n`,
  'api.md': withTables(read('api.md')),
};
for (const [file, text] of Object.entries(files)) {
  if (!process.argv.includes('--check')) {
    writeFileSync(join(DOCS, file), text);
  } else if (read(file) !== text) {
    console.error(`docs/${file} is not current. Run npm run openapi and commit the file.`);
    process.exitCode = 1;
  }
}
