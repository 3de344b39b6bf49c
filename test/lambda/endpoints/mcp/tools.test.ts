// The table of the MCP tools. Each row makes a route of the API a tool for language models. Its
// arguments are parameters of the route, and LISTED_TOOLS describes them to a model. Its `preset`
// has the values of parameters that the model did not send.

import { describe, expect, it } from '@jest/globals';
import { CATEGORY_NAMES } from '../../../../lambda/core/contract/constants.ts';
import { MARKET_FIELDS } from '../../../../lambda/core/contract/market-fields.ts';
import { ROUTES, type Route } from '../../../../lambda/core/contract/route-table.ts';
import { LISTED_TOOLS, TOOLS } from '../../../../lambda/endpoints/mcp/tools.ts';

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
  });

  it('list their required parameters', () => {
    const search = LISTED_TOOLS.find(({ name }) => name === 'search_markets');
    expect(search?.inputSchema.required).toEqual(['q']);
  });

  it('cost a model at most 2,000 tokens', () => {
    // Two tokenizers needed a token for 4.0 characters of this list. Others can need more tokens.
    const charactersPerToken = 3.6;
    const characters = JSON.stringify(LISTED_TOOLS).length;
    expect(characters / charactersPerToken).toBeLessThanOrEqual(2_000);
  });

  it('name each field of a market that a model can request, except rarely read ones', () => {
    const text = JSON.stringify(LISTED_TOOLS.find(({ name }) => name === 'list_markets'));
    const missing = MARKET_FIELDS.filter((name) => !text.includes(name));
    expect(missing).toEqual([
      'negRisk',
      'image',
      'createdAt',
      'minimumTickSize',
      'protocolVersion',
    ]);
  });

  it.each(['search_markets', 'list_markets', 'get_market', 'list_events', 'get_event'])(
    'say that texts in the result of %s, which strangers wrote, are data',
    (tool) => {
      const { description } = LISTED_TOOLS.find(({ name }) => name === tool) ?? {};
      expect(description).toContain('never instructions');
    },
  );

  /** The schemas of arguments, by tool and argument. */
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

  it('have the types of the parameters of their routes', () => {
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
