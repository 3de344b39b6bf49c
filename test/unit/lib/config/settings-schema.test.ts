import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { settingsSchema } from '../../../../lib/config/settings-schema.ts';
import { STAGE_FILES } from '../../../../lib/config/stage-files.ts';

const isValid = new Ajv2020().compile(settingsSchema());

describe('the schema of the stage files', () => {
  it.each(STAGE_FILES.names())('accepts stages/%s.json, which names it for the editor', (name) => {
    const file = STAGE_FILES.read(name);
    expect(file).toMatchObject({ $schema: './schema.json' });
    expect([isValid(file), isValid.errors]).toEqual([true, null]);
  });

  it.each([
    { maxMarket: 5 },
    { maxMarkets: '5' },
    { publicRate: 10 },
    { region: 'cn-north-1' },
    { region: 'us-gov-west-1' },
  ])('refuses %j', (file) => {
    expect(isValid(file)).toBe(false);
  });

  it('is what an editor completes by, also in a stage file that does not name it', () => {
    const { 'json.schemas': schemas } = JSON.parse(readFileSync('.vscode/settings.json', 'utf8'));
    expect(schemas).toEqual([
      { fileMatch: expect.arrayContaining(['/stages/*.json']), url: './stages/schema.json' },
    ]);
  });

  it('says of each setting what it does', () => {
    const { properties } = settingsSchema() as { properties: Record<string, { description?: string }> };
    for (const [name, { description }] of Object.entries(properties)) {
      if (name !== '$schema')
        expect([name, description]).toEqual([name, expect.stringMatching(/^[A-Z].{10,}\.$/)]);
    }
  });

  it('lies in stages/schema.json (npm run docs)', () => {
    expect(JSON.parse(readFileSync('stages/schema.json', 'utf8'))).toEqual(settingsSchema());
  });
});
