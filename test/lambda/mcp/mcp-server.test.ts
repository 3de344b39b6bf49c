import { describe, expect, it } from '@jest/globals';
import { parseArguments, type ToolArguments } from '../../../lambda/mcp/mcp-server.ts';
import { TOOLS, type Tool } from '../../../lambda/mcp/tools.ts';

const parse = (name: string, sent: ToolArguments) =>
  parseArguments(TOOLS.find((tool) => tool.name === name) as Tool, sent);
/** Lists inside each other. */
const nested = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`);

describe('the arguments of a tool', () => {
  it('obey the rules of the route: numbers, lists and texts', () => {
    const sent = { limit: 3, sort: 'move1d', tag: ['nba', 'nfl'], minVolume: 0.5, endsBefore: '2027-01-01' };
    expect(parse('list_markets', sent)).toMatchObject({
      ...sent,
      endsBefore: { kind: 'at', time: Date.UTC(2027, 0, 1) },
    });
  });

  it('can be null or missing; the preset replaces them', () => {
    const limits = [{ limit: null }, {}, { limit: 2 }].map((sent) => parse('list_markets', sent));
    expect(limits).toMatchObject([{ limit: 8 }, { limit: 8 }, { limit: 2 }]);
  });

  it('keep special characters in the segment of a path', () => {
    for (const id of ['100%-é?', 'a%41']) expect(parse('get_market', { id })).toEqual({ id });
  });

  it.each<[string, ToolArguments, string, RegExp]>([
    [
      'list_markets',
      { colour: 'red' },
      'invalid',
      /^This tool has no argument colour. Its arguments are limit, offset/,
    ],
    ['list_markets', { limit: 0 }, 'invalid', /^The parameter limit must be/],
    ['list_markets', { limit: 'many' }, 'invalid', /^The parameter limit must be/],
    ['list_markets', { sort: 'best' }, 'invalid', /^The parameter sort must be/],
    ['list_markets', { tag: [{}] }, 'invalid', /^The argument tag must be a text, a number, or a list/],
    ['list_markets', { tag: {} }, 'invalid', /^The argument tag must be a text/],
    ['list_markets', { tag: [[]] }, 'invalid', /^The argument tag must be a text/],
    ['list_markets', { tag: nested(9_000) }, 'invalid', /^The argument tag must be a text/],
    ['list_markets', { tag: ['\ud800'] }, 'invalid', /^The argument tag contains half of a character/],
    ['get_market', { id: '\ud800' }, 'invalid', /^The argument id contains half of a character/],
    ['search_markets', {}, 'missing', / q /],
  ])('%#: a mistake is an error of the caller', (name, sent, code, message) => {
    const error = expect.objectContaining({ code: `${code}_parameter`, message: expect.stringMatching(message) });
    expect(() => parse(name, sent)).toThrow(error);
  });

  it('that a tool without arguments gets are an error, and many of them are not all named', () => {
    const sent = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`a${n}`, 1]));
    const message = 'This tool has no argument a0, a1, a2, a3, a4. It has no arguments.';
    expect(() => parse('market_status', sent)).toThrow(message);
  });
});
