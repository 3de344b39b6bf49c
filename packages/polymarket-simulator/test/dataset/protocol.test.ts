import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { GeneratedSource } from '../../src/dataset/generated.ts';
import { paddedCondition } from '../../src/dataset/protocol.ts';
import { assetIds, crawl, held, type Json, NOW, type Rig, startRig } from '../helpers.ts';

const MARKETS = 3_000;
const source = new GeneratedSource({ seed: 1, markets: MARKETS, now: NOW, v2Share: 0.5 });
const all = Array.from(
  { length: MARKETS },
  (_, index) => JSON.parse(JSON.stringify(source.wire(index, NOW, false))) as Json,
);
const of = (version: unknown) => all.filter((market) => market.version === version);
const ids = (market: Json) => market.positionIds as string[];
const count = (test: (market: Json) => boolean) => all.filter(test).length;
const event = (market: Json) => (market.events as Json[] | undefined)?.[0];

describe('markets of Protocol V2', () => {
  it('are about the share that was asked for, and none at 0', () => {
    expect(of('v2').length / MARKETS).toBeGreaterThan(0.46);
    expect(of('v2').length / MARKETS).toBeLessThan(0.54);
    const none = new GeneratedSource({ seed: 1, markets: 300, now: NOW, v2Share: 0 });
    const whole = new GeneratedSource({ seed: 1, markets: 300, now: NOW, v2Share: 1 });
    for (let index = 0; index < 300; index++) {
      expect(none.facts(index).protocol).toBe('v1');
      expect(whole.facts(index).protocol).toBe('v2');
    }
  });

  it('keep every market of a smaller share when the share grows, twins apart', () => {
    const fewer = new GeneratedSource({ seed: 1, markets: MARKETS, now: NOW, v2Share: 0.2 });
    const moved = all.filter(
      (market, index) => fewer.facts(index).version === 'v2' && market.version !== 'v2',
    ).length;
    expect(moved).toBeLessThan(MARKETS * 0.03);
  });

  it('have condition ids of 62 hex digits, some padded to 64, each once', () => {
    const conditions = of('v2').map((market) => String(market.conditionId));
    expect(conditions.every((id) => /^0x0[12][0-9a-f]{32}0{28}(00)?$/.test(id))).toBe(true);
    const wide = conditions.filter((id) => id.length === 66).length;
    expect(wide / conditions.length).toBeGreaterThan(0.3);
    expect(wide / conditions.length).toBeLessThan(0.5);
    expect(new Set(conditions.map(paddedCondition)).size).toBe(conditions.length);
  });

  it('have positionIds that are a real array: the condition id and one outcome byte', () => {
    const ready = of('v2').filter((market) => market.positionIds !== undefined);
    for (const market of ready) {
      const hexes = ids(market).map((id) => `0x${BigInt(id).toString(16).padStart(64, '0')}`);
      const condition = paddedCondition(String(market.conditionId));
      expect(hexes).toEqual([condition, `${condition.slice(0, -2)}01`]);
    }
    expect(ready.length).toBeGreaterThan(1_300);
  });

  it('have clobTokenIds null, and sometimes ids that nobody knows', () => {
    const held2 = of('v2').filter((market) => market.clobTokenIds !== null);
    expect(of('v2').every((market) => 'clobTokenIds' in market || market.outcomes === undefined)).toBe(true);
    expect(held2.length).toBeGreaterThan(50);
    expect(held2.length).toBeLessThan(300);
    for (const id of held2.flatMap((market) => held(market, 'clobTokenIds'))) {
      expect(source.instrument(id)).toBeUndefined();
    }
  });

  it('say resolutionStatus where v1 markets say umaResolutionStatuses', () => {
    expect(of('v2').every((m) => 'resolutionStatus' in m && !('umaResolutionStatuses' in m))).toBe(true);
    expect(of('v1').every((m) => 'umaResolutionStatuses' in m && !('resolutionStatus' in m))).toBe(true);
  });
});

describe('markets of Protocol V1', () => {
  it('carry positionIds of the v2 layout in a third of the older ones, which no route knows', () => {
    const decoys = of('v1').filter((market) => market.positionIds !== undefined);
    expect(decoys.length / of('v1').length).toBeGreaterThan(0.28);
    expect(decoys.length / of('v1').length).toBeLessThan(0.42);
    for (const market of decoys) {
      const [first = ''] = ids(market);
      const hex = `0x${BigInt(first).toString(16).padStart(64, '0')}`;
      expect(hex).toBe(`0x01${String(market.conditionId).slice(-32)}${'0'.repeat(30)}`);
      expect(source.instrument(first)).toBeUndefined();
      expect(NOW - Date.parse(String(market.createdAt))).toBeGreaterThan(86_400_000 / 2);
    }
  });
});

describe('what a reader must skip or tell apart', () => {
  const oddities: readonly (readonly [string, (market: Json) => boolean])[] = [
    ['an unknown version', (m) => m.version === 'v3'],
    ['no version', (m) => !('version' in m)],
    ['no version and both kinds of id', (m) => !('version' in m) && m.positionIds !== undefined],
    ['v2 ids that are not there yet', (m) => m.version === 'v2' && m.positionIds === undefined],
    [
      'v1 ids that are not there yet, with decoys beside',
      (m) =>
        m.version === 'v1' &&
        m.enableOrderBook === true &&
        held(m, 'clobTokenIds').length === 0 &&
        m.positionIds !== undefined,
    ],
    ['a tick of 0.0025', (m) => m.orderPriceMinTickSize === 0.0025],
    ['a tick of 0.0001', (m) => m.orderPriceMinTickSize === 0.0001],
    ['a tick of 0.005', (m) => m.orderPriceMinTickSize === 0.005],
    [
      'prices of 0.5 beside an empty book',
      (m) => held(m, 'outcomePrices')[0] === '0.5' && m.bestBid === undefined && m.bestAsk === 1,
    ],
  ];
  it.each(oddities)('some markets have %s', (_, test) => {
    expect(count(test)).toBeGreaterThanOrEqual(1);
    expect(count(test)).toBeLessThan(MARKETS * 0.04);
  });

  it('twins ask one question in one event under both protocols', () => {
    const byQuestion = new Map<string, Set<unknown>>();
    for (const market of all) {
      const name = `${event(market)?.id} ${String(market.question).trim()}`;
      byQuestion.set(name, (byQuestion.get(name) ?? new Set()).add(market.version));
    }
    const twins = [...byQuestion.values()].filter((versions) => versions.has('v1') && versions.has('v2'));
    expect(twins.length).toBeGreaterThan(20);
  });
});

describe('the CLOB and v2 ids', () => {
  let rig: Rig;
  let markets: Json[];
  beforeAll(async () => {
    rig = await startRig({ markets: 400, v2Share: 0.5 });
    markets = (await crawl(rig)).filter((market) => market.acceptingOrders === true);
  });
  afterAll(() => rig.close());
  const v2 = () => markets.filter((market) => market.version === 'v2' && assetIds(market).length === 2);

  it('has books for position ids, which name the padded condition and end with their version', async () => {
    for (const market of v2().slice(0, 20)) {
      const { body } = await rig.get(`/book?token_id=${ids(market)[0]}`);
      expect(body).toMatchObject({ market: paddedCondition(String(market.conditionId)), version: 'v2' });
      expect(Object.keys(body as Json).at(-1)).toBe('version');
    }
  });

  it('has no book for decoys', async () => {
    const decoy = markets.find((market) => market.version === 'v1' && market.positionIds !== undefined);
    expect(await rig.get(`/book?token_id=${ids(decoy ?? {})[0]}`)).toMatchObject({
      status: 404,
      body: { error: 'No orderbook exists for the requested token id' },
    });
  });

  it('finds a market by its condition of 64 digits, not of 62', async () => {
    const [market] = v2().filter((one) => String(one.conditionId).length === 64);
    const condition = String(market?.conditionId);
    expect(await rig.get(`/clob-markets/${condition}`)).toMatchObject({
      status: 404,
      text: '{"error":"market not found"}\n',
    });
    const found = await rig.get(`/clob-markets/${condition}00`);
    expect(found.body).toMatchObject({
      c: `${condition}00`,
      v: 'v2',
      t: ids(market ?? {}).map((t) => ({ t })),
    });
  });

  it('changes its share while it runs', () => {
    rig.changeDataset({ v2Share: 0 });
    rig.changeDataset({ v2Share: 0.5 });
    expect(() => rig.changeDataset({ v2Share: 2 })).toThrow(/"v2Share" must be a number from 0 to 1/);
  });
});
