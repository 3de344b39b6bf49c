/** An object around Protocol V2 with what is expected of a reader, as protocol-v2.json of the recordings has them. */
export interface ProtocolFixture {
  readonly name: string;
  readonly protocol: string;
  readonly object: Readonly<Record<string, unknown>>;
  readonly expect: Readonly<Record<string, unknown>>;
}

/**
 * Objects around Protocol V2 in the shapes of docs/upstream.md, with ids and texts of our own: what a reader makes of
 * the recorded ones it has to make of these, too, where there are no recordings.
 */
export const MADE_FIXTURES: readonly ProtocolFixture[] = [...markets(), ...pages()].map((fixture) => ({
  ...fixture,
  name: `${fixture.name}, made up`,
}));

/** A condition of V2 in its form of 31 bytes. */
function condition(byte: string): string {
  return `0x01${byte.repeat(16)}${'00'.repeat(14)}`;
}

/** The position ids of a V2 condition: its 31 bytes and one of the outcome. */
function positions(conditionId: string): string[] {
  return [0n, 1n].map((outcome) => String((BigInt(conditionId) << 8n) + outcome));
}

function market(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return {
    id: '900001',
    question: 'Does the ferry sail on Sunday?',
    outcomes: '["Yes", "No"]',
    outcomePrices: '["0.3", "0.7"]',
    negRisk: false,
    ...fields,
  };
}

function markets(): ProtocolFixture[] {
  const tokens = [`1${'23456789'.repeat(9)}`, `9${'87654321'.repeat(9)}`];
  const clobTokenIds = JSON.stringify(tokens);
  const hash = `0x${'5e'.repeat(32)}`;
  const short = condition('7c');
  const forms = { conditionId31: short, conditionId32: `${short}00` };
  const own = positions(short);
  const combos = positions(condition('3d'));
  const v1 = { protocol: 'v1', expect: { assetIds: tokens } };
  const v2 = { protocol: 'v2', expect: { assetIds: own, ...forms } };
  return [
    { ...v1, name: 'v1', object: market({ conditionId: hash, clobTokenIds, version: 'v1' }) },
    {
      ...v1,
      name: 'v1 with position ids of combos',
      object: market({ conditionId: hash, clobTokenIds, positionIds: combos, version: 'v1' }),
    },
    { ...v1, name: 'v1 from before the version', object: market({ conditionId: hash, clobTokenIds }) },
    {
      ...v2,
      name: 'v2 with 31 bytes',
      object: market({ conditionId: short, clobTokenIds: null, positionIds: own, version: 'v2' }),
    },
    {
      ...v2,
      name: 'v2 padded, with token ids that are not its own',
      object: market({ conditionId: `${short}00`, clobTokenIds, positionIds: own, version: 'v2' }),
    },
    {
      ...v2,
      name: 'v2 with its ids in a text',
      object: market({ conditionId: short, positionIds: JSON.stringify(own), version: 'v2' }),
    },
    {
      ...v2,
      name: 'v2 in an event',
      object: {
        id: '900000',
        slug: 'ferries',
        title: 'Ferries',
        markets: [market({ conditionId: short, clobTokenIds: null, positionIds: own, version: 'v2' })],
      },
    },
    {
      name: 'unknown-version',
      protocol: 'unsupported',
      object: market({ conditionId: hash, clobTokenIds, positionIds: '["31", "32"]', version: 'v9' }),
      expect: { assetIds: null },
    },
    {
      name: 'null-version',
      protocol: 'missing',
      object: market({
        conditionId: short,
        clobTokenIds,
        positionIds: '["31", "32"]',
        version: null,
      }),
      expect: {},
    },
  ];
}

function pages(): ProtocolFixture[] {
  const row = (timestamp: number, price: number) => ({ timestamp, price, resolution_seconds: 300 });
  const last = { limit: 3, offset: 0, has_more: false, next_cursor: null };
  const page = (name: string, data: readonly object[], pagination: object) => ({
    name: `data-v2-${name}`,
    protocol: 'v1',
    object: { data, pagination },
    expect: {},
  });
  return [
    page(
      'prices-history-page1',
      [row(1_790_000_100, 0.31), row(1_790_000_400, 0.3), row(1_790_000_700, 0.325)],
      {
        ...last,
        has_more: true,
        next_cursor: 'made-up',
      },
    ),
    page('prices-history-page2', [row(1_790_001_000, 0.33)], { ...last, offset: 3 }),
    page('empty-page', [], last),
  ];
}
