// A tool call that fails returns a text for a language model: what is wrong, and what to do next.

import { describe, expect, it } from '@jest/globals';
import type { ErrorCode } from '../../../../lambda/core/contract/errors.ts';
import { ServiceError } from '../../../../lambda/core/domain/service-error.ts';
import type { ToolEndpoints } from '../../../../lambda/endpoints/mcp/mcp-server.ts';
import { mcpRig, respond } from './mcp-rig.ts';

/** The text that a failing call of a tool returns. Expects that the server logs the error once. */
async function errorOf(
  name: string,
  sent: object,
  endpoints: Partial<ToolEndpoints> = {},
): Promise<string> {
  const { callTool, logged } = mcpRig(endpoints);
  const { content, isError } = await callTool(name, sent);
  expect(isError).toBe(true);
  expect(content).toHaveLength(1);
  expect(logged).toEqual([{ tool: name, error: expect.any(Error) }]);
  return content[0].text;
}

/** A search endpoint that fails. */
const failing = (error: Error): Partial<ToolEndpoints> => ({
  'search-markets': () => Promise.reject(error),
});

describe('a call of the tool', () => {
  it.each<[tool: string, sent: object, sentence: RegExp]>([
    ['search_markets', {}, /The parameter q is required.*Call again with this argument/],
    [
      'search_markets',
      { q: ['a', 'b'] },
      /The argument q must be one value, not a list. Correct the argument/,
    ],
    [
      'search_markets',
      { query: 'bitcoin' },
      /no argument query: did you mean q\? Its arguments are q, limit/,
    ],
    ['search_markets', { ids: ['a'] }, /no argument ids: it belongs to list_markets\. Its/],
    [
      'order_book',
      { token_id: 'a-slug' },
      /token_id must be an outcome token \(clobTokenId .* the tool get_market\)/,
    ],
    ['list_markets', { limit: 101 }, /limit must be at most 100; offset continues/],
    [
      'list_markets',
      { q: 'bitcoin' },
      /no argument q: use search_markets\. Its arguments are limit/,
    ],
    ['list_markets', { closed: true }, /open markets only; get_market also returns one that is/],
    [
      'list_markets',
      { colour: 1 },
      /no argument colour. Its arguments are limit, offset.*Correct the argument/,
    ],
    ['list_markets', { tag: [{}] }, /The argument tag must be a text, a number, or a list/],
    ['list_markets', { tag: ['\ud800'] }, /tag contains half of a character/],
  ])('%s with %j says what is wrong and what to do', async (tool, sent, sentence) => {
    expect(await errorOf(tool, sent)).toMatch(sentence);
  });

  it('market_status with a hundred unknown arguments names five of them', async () => {
    const hundred = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`a${n}`, 1]));
    expect(await errorOf('market_status', hundred)).toMatch(
      /This tool has no argument a0, a1, a2, a3, a4. It has no arguments./,
    );
  });

  it('list_markets with more than 60,000 characters asks for fewer rows or fields', async () => {
    const rows = Array.from({ length: 100 }, () => ({ question: 'é'.repeat(600) }));
    expect(await errorOf('list_markets', {}, { 'list-markets': respond(rows) })).toMatch(
      /60,000 characters. Use a smaller limit .* or fewer fields/,
    );
  });
});

describe('a failure of the endpoint', () => {
  it.each<[ErrorCode, RegExp]>([
    ['snapshot_stale', /tell the user .* too old .* try again in a minute/i],
    ['snapshot_missing', /market_status/],
    ['no_market', /search_markets/],
    ['no_event', /get_market \(eventSlug\)/],
    ['no_order_book', /clobTokenId .* may be closed/],
    ['upstream_unavailable', /again in a few seconds/],
    ['upstream_busy', /after the time in the error/],
  ])('with %s advises the model', async (code, advice) => {
    const failure = failing(new ServiceError(code, 'What happened.'));
    const text = await errorOf('search_markets', { q: 'bitcoin' }, failure);
    expect(text).toMatch(/^What happened\. /);
    expect(text).toMatch(advice);
  });

  it('that is unexpected reveals nothing', async () => {
    const failure = failing(new Error('secret detail'));
    expect(await errorOf('search_markets', { q: 'bitcoin' }, failure)).toBe(
      'An unexpected error occurred. Try again in a moment.',
    );
  });
});
