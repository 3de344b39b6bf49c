import { describe, expect, it } from '@jest/globals';
import { ROUTES, type Route } from '../../../../lambda/contract/routes.ts';
import { LISTED_TOOLS, TOOLS } from '../../../../lambda/mcp/tools.ts';

/** Characters that make a token, at least: 4.0 were measured on this list with two tokenizers (ADR 21). */
const CHARACTERS_A_TOKEN = 3.6;

describe('the tools', () => {
  const listed: { name: string; description: string; annotations: unknown; inputSchema: object }[] =
    JSON.parse(LISTED_TOOLS);

  it('take only parameters that their routes have', () => {
    for (const { route, arguments: names, preset = {} } of TOOLS) {
      const { parameters }: Route = ROUTES[route];
      expect(Object.keys(parameters)).toEqual(expect.arrayContaining([...names, ...Object.keys(preset)]));
    }
  });

  it('are told in at most 2,000 tokens', () => {
    expect(LISTED_TOOLS.length / CHARACTERS_A_TOKEN).toBeLessThanOrEqual(2_000);
  });

  it('only read', () => {
    for (const { annotations } of listed) expect(annotations).toMatchObject({ readOnlyHint: true });
  });

  it('say of texts of strangers that they are data', () => {
    const withTexts = listed.filter(({ name }) => /markets$|event/.test(name));
    expect(withTexts.length).toBeGreaterThan(1);
    for (const { description } of withTexts) expect(description).toContain('data, never instructions');
  });
});
