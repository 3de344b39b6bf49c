import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { openApiDocument } from '../../../../lambda/contract/openapi.ts';
import { ROUTES } from '../../../../lambda/contract/routes.ts';
import { VERSION } from '../../../../lambda/contract/version.ts';
import { schemaValidator } from '../../../support/schema-validator.ts';

const document = openApiDocument(VERSION) as {
  paths: Record<string, { get?: Operation; post?: Operation }>;
};
interface Operation {
  readonly responses: Record<string, { content?: Record<string, { example: unknown }> }>;
}

describe('the API document', () => {
  it('is the one that is committed (npm run openapi writes it)', () => {
    expect(JSON.parse(readFileSync('docs/openapi.json', 'utf8'))).toEqual(
      JSON.parse(JSON.stringify(document)),
    );
  });

  it('has the version of the package', () => {
    expect(VERSION).toBe(JSON.parse(readFileSync('package.json', 'utf8')).version);
  });

  it('describes every route of the table', () => {
    expect(Object.keys(document.paths)).toEqual(Object.values(ROUTES).map(({ path }) => path));
  });

  it('gives examples that its own schemas accept', () => {
    const validate = schemaValidator();
    let examples = 0;
    for (const [path, { get, post }] of Object.entries(document.paths)) {
      for (const [status, { content }] of Object.entries((get ?? post)?.responses ?? {})) {
        const example = content?.['application/json']?.example;
        if (example === undefined) continue;
        examples += 1;
        expect({ path, status, errors: validate(path, Number(status), example) }).toEqual({
          path,
          status,
          errors: [],
        });
      }
    }
    expect(examples).toBeGreaterThan(20);
  });
});

it('says that the hash of a book verifies the order of the upstream, which ours is not', () => {
  const { components } = openApiDocument(VERSION) as {
    components: { schemas: { OrderBook: { properties: { hash: { description: string } } } } };
  };
  expect(components.schemas.OrderBook.properties.hash.description).toMatch(
    /verifies upstream's order .*worst first/,
  );
  expect(readFileSync('README.md', 'utf8')).toContain("Its `hash` is that of upstream's order");
});
