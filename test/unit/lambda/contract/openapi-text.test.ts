import { expect, it } from '@jest/globals';
import { buildSync } from 'esbuild';
import { openApiDocument } from '../../../../lambda/contract/openapi.ts';
import { openApiText } from '../../../../lambda/contract/openapi-text.ts';
import { VERSION } from '../../../../lambda/contract/version.ts';

it('is the document', () => {
  expect(JSON.parse(openApiText())).toEqual(openApiDocument(VERSION));
});

it('is in a bundle what the bundler puts there, without what puts a document together', () => {
  const { outputFiles } = buildSync({
    entryPoints: ['lambda/contract/openapi-text.ts'],
    bundle: true,
    format: 'esm',
    minify: true,
    write: false,
    define: { OPENAPI_TEXT: JSON.stringify('{"openapi":"3.1.0"}') },
  });
  const [{ text } = { text: '' }] = outputFiles;
  expect(text).toContain('{"openapi":"3.1.0"}');
  expect(text).not.toContain('What went wrong, and what to do.');
});
