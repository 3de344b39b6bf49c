import { describe, expect, it } from '@jest/globals';
import { ServiceError } from '../../../../lambda/domain/service-error.ts';
import { inputSchema, parseArguments } from '../../../../lambda/mcp/tool-arguments.ts';

const LIST = ['limit', 'sort', 'tag', 'minVolume', 'endsBefore'];

function refusal(parse: () => unknown): string {
  try {
    parse();
  } catch (error) {
    if (error instanceof ServiceError) return `${error.code}: ${error.message}`;
    throw error;
  }
  return 'none';
}

describe('the arguments of a tool', () => {
  it('are parsed by the rules of the route: numbers, lists and texts', () => {
    const sent = { limit: 3, sort: 'move1d', tag: ['nba', 'nfl'], minVolume: 0.5, endsBefore: '2027-01-01' };
    expect(parseArguments('list-markets', LIST, sent)).toMatchObject({
      limit: 3,
      sort: 'move1d',
      tag: ['nba', 'nfl'],
      minVolume: 0.5,
    });
  });

  it('may be null or left out; then the preset holds', () => {
    expect(parseArguments('list-markets', LIST, { limit: null }, { limit: '8' })).toMatchObject({ limit: 8 });
    expect(parseArguments('list-markets', LIST, { limit: 2 }, { limit: '8' })).toMatchObject({ limit: 2 });
  });

  it.each([
    [{ colour: 'red' }, 'invalid_parameter: This tool has no argument colour: it takes limit, sort'],
    [{ limit: 0 }, 'invalid_parameter: The parameter limit must be'],
    [{ limit: 'many' }, 'invalid_parameter: The parameter limit must be'],
    [{ sort: 'best' }, 'invalid_parameter: The parameter sort must be'],
    [{ tag: [{}] }, 'invalid_parameter: The argument tag must be a text'],
  ])('%j is refused with a sentence that helps', (sent, start) => {
    expect(refusal(() => parseArguments('list-markets', LIST, sent))).toMatch(new RegExp(`^${start}`));
  });

  it('names a required one that is missing', () => {
    expect(refusal(() => parseArguments('search-markets', ['q'], {}))).toMatch(/^missing_parameter: .* q /);
  });

  it('have a schema that comes from the route and says what is required', () => {
    expect(inputSchema('search-markets', ['q', 'category'])).toMatchObject({
      type: 'object',
      required: ['q'],
      properties: {
        q: { type: 'string' },
        category: { enum: ['election', 'crypto', 'sports', 'economics', 'tech'] },
      },
      additionalProperties: false,
    });
  });
});
