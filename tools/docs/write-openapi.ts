/** Writes the API document that is committed and served: `npm run openapi`. */
import { writeFileSync } from 'node:fs';
import { openApiDocument } from '../../lambda/contract/openapi.ts';
import { VERSION } from '../../lambda/contract/version.ts';

writeFileSync(
  new URL('../../docs/openapi.json', import.meta.url),
  `${JSON.stringify(openApiDocument(VERSION), null, 2)}\n`,
);
