import { describe, expect, it } from '@jest/globals';
import { CATEGORY_NAMES } from '../../../../lambda/core/contract/constants.ts';
import { ROUTES, type Route } from '../../../../lambda/core/contract/route-table.ts';
import { LISTED_TOOLS, TOOLS } from '../../../../lambda/extras/mcp/tools.ts';

/** Two tokenizers needed a token for 4.0 characters of this list on average. */
const CHARACTERS_PER_TOKEN = 3.6;

describe('the tools', () => {
  it('have only parameters of their routes, and all required ones', () => {
    for (const { route, arguments: names, preset = {} } of TOOLS) {
      const { parameters }: Route = ROUTES[route];
      expect(Object.keys(parameters)).toEqual(expect.arrayContaining([...names, ...Object.keys(preset)]));
      const required = Object.entries(parameters).filter(([, parameter]) => parameter.required);
      expect(names).toEqual(expect.arrayContaining(required.map(([name]) => name)));
    }
  });

  it('cost a model at most 2,000 tokens', () => {
    expect(JSON.stringify(LISTED_TOOLS).length / CHARACTERS_PER_TOKEN).toBeLessThanOrEqual(2_000);
  });

  it('say that texts of strangers are data', () => {
    const withTexts = LISTED_TOOLS.filter(({ name }) => /markets$|event|get_market/.test(name));
    expect(withTexts).toHaveLength(5);
    for (const { description } of withTexts) expect(description).toContain('never instructions');
  });

  it('state their own default and maximum of a limit', () => {
    const defaults = LISTED_TOOLS.flatMap(({ name, inputSchema: { properties } }) =>
      ['limit', 'depth'].flatMap((key) => {
        const { default: preset, maximum } = properties[key] ?? {};
        return properties[key] ? [[name, key, preset, maximum]] : [];
      }),
    );
    expect(defaults).toEqual([
      ['search_markets', 'limit', 8, 50],
      ['list_markets', 'limit', 8, 100],
      ['list_events', 'limit', 8, 100],
      ['order_book', 'depth', 5, undefined],
    ]);
  });

  it('have the schemas of their routes', () => {
    const schema = LISTED_TOOLS.find(({ name }) => name === 'search_markets')?.inputSchema;
    expect(schema).toMatchObject({
      required: ['q'],
      properties: {
        category: { type: 'string', enum: CATEGORY_NAMES },
        minVolume: { type: 'number' },
        endsBefore: { type: 'string', description: expect.any(String) },
        fields: { type: 'array', items: { type: 'string' } },
      },
    });
    expect(Object.keys(schema?.properties.q ?? {})).toEqual(['type', 'description']);
    const book = LISTED_TOOLS.find(({ name }) => name === 'order_book')?.inputSchema;
    expect(book?.properties.token_id).toEqual({ type: 'string', description: 'Outcome token' });
  });
});
