import { describe, expect, it } from '@jest/globals';
import { CATEGORY_NAMES } from '../../../../lambda/core/contract/constants.ts';
import { MARKET_FIELDS } from '../../../../lambda/core/contract/market-fields.ts';
import { ROUTES, type Route } from '../../../../lambda/core/contract/route-table.ts';
import { LISTED_TOOLS, TOOLS } from '../../../../lambda/endpoints/mcp/tools.ts';

/** Two tokenizers needed a token for 4.0 characters of this list on average. */
const CHARACTERS_PER_TOKEN = 3.6;

describe('the tools', () => {
  it('have only parameters of their routes, and all required ones', () => {
    for (const { route, arguments: names, preset = {} } of TOOLS) {
      const { parameters }: Route = ROUTES[route];
      expect(Object.keys(parameters)).toEqual(
        expect.arrayContaining([...names, ...Object.keys(preset)]),
      );
      const required = Object.entries(parameters).filter(([, parameter]) => parameter.required);
      expect(names).toEqual(expect.arrayContaining(required.map(([name]) => name)));
    }
    expect(
      LISTED_TOOLS.find(({ name }) => name === 'search_markets')?.inputSchema.required,
    ).toEqual(['q']);
  });

  it('cost a model at most 2,000 tokens', () => {
    expect(JSON.stringify(LISTED_TOOLS).length / CHARACTERS_PER_TOKEN).toBeLessThanOrEqual(2_000);
  });

  it('name each field of a market that a model can request, except rarely read ones', () => {
    const list = LISTED_TOOLS.find(({ name }) => name === 'list_markets');
    const text = JSON.stringify(list);
    const missing = MARKET_FIELDS.filter((name) => !text.includes(name));
    expect(missing).toEqual([
      'negRisk',
      'image',
      'createdAt',
      'minimumTickSize',
      'protocolVersion',
    ]);
  });

  it('say that texts of strangers are data', () => {
    const withTexts = LISTED_TOOLS.filter(({ name }) => /markets$|event|get_market/.test(name));
    expect(withTexts).toHaveLength(5);
    for (const { description } of withTexts) expect(description).toContain('never instructions');
  });

  const properties = Object.fromEntries(
    LISTED_TOOLS.map(({ name, inputSchema }) => [name, inputSchema.properties]),
  );

  it('state their own default and maximum of a limit', () => {
    expect(properties).toMatchObject({
      search_markets: { limit: { default: 8, maximum: 50 } },
      list_markets: { limit: { default: 8, maximum: 100 } },
      list_events: { limit: { default: 8, maximum: 100 } },
      order_book: { depth: { default: 5 } },
    });
  });

  it('have the schemas of their routes', () => {
    expect(properties.search_markets).toMatchObject({
      category: { type: 'string', enum: CATEGORY_NAMES },
      minVolume: { type: 'number' },
      endsBefore: { type: 'string', description: expect.any(String) },
      fields: { type: 'array', items: { type: 'string' } },
    });
    expect(Object.keys(properties.search_markets?.q ?? {})).toEqual(['type', 'description']);
    expect(properties.order_book?.token_id).toEqual({
      type: 'string',
      description: 'Outcome token',
    });
  });
});
