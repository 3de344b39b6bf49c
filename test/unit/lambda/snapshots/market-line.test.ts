import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { LONG_CHANGE_MARKETS } from '../../../../lambda/contract/constants.ts';
import { defaultFields } from '../../../../lambda/domain/market-list.ts';
import type { SnapshotEntry } from '../../../../lambda/domain/snapshot.ts';
import { numbersOf } from '../../../../lambda/snapshots/columns.ts';
import { lineAt } from '../../../../lambda/snapshots/market-line.ts';
import { HeldTable, recordAt, tableOf } from '../../../../lambda/snapshots/stored-markets.ts';
import { anyText } from '../../../support/any-text.ts';
import { manyEntries } from '../../../support/many-entries.ts';
import { snapshotEntry } from '../../../support/snapshot-entry.ts';

/** The line of each market as it is put together, and as it is encoded. */
function lines(entries: readonly SnapshotEntry[]): [string | undefined, string][] {
  const table = tableOf(entries);
  return entries.map((_, position) => [
    lineAt(table, position),
    JSON.stringify(defaultFields(recordAt(table, position), position)),
  ]);
}

const percent = fc.integer({ min: 0, max: 100_000 }).map((value) => value / 1_000);
const change = fc.integer({ min: -100_000, max: 100_000 }).map((value) => value / 1_000);
const money = fc.oneof(fc.constant(0), fc.double({ min: 0, max: 1e22, noNaN: true }));
const entry = fc
  .record({
    question: anyText(30),
    slug: fc.option(fc.string(), { nil: undefined }),
    currentProbability: percent,
    volume: money,
    liquidity: money,
    oneDayPriceChange: fc.option(change),
    sevenDayPriceChange: change,
    label: fc.constantFrom('Yes', 'YES ', 'Up', '"\\t\t'),
  })
  .map(({ label, slug, ...fields }): SnapshotEntry => {
    const { market, facets } = snapshotEntry(1, fields);
    const { slug: _, ...others } = market;
    const outcomes = facets.outcomes.map((outcome, n) => (n === 0 ? { ...outcome, label } : outcome));
    return {
      market: { ...others, ...(slug === undefined ? {} : { slug }) },
      facets: { ...facets, outcomes },
    };
  });

describe('a line that is put together of text and numbers', () => {
  it('is the same as the encoded market, whatever it says', () => {
    fc.assert(
      fc.property(fc.array(entry, { minLength: 1, maxLength: 25 }), (entries) => {
        for (const [line, encoded] of lines(entries)) expect(line).toBe(encoded);
      }),
    );
    for (const [line, encoded] of lines(manyEntries(200))) expect(line).toBe(encoded);
  });

  it('has the long changes for the first markets of the list only', () => {
    const changes = { oneDayPriceChange: 1, sevenDayPriceChange: -2.5, thirtyDayPriceChange: 0 };
    const entries = Array.from({ length: LONG_CHANGE_MARKETS + 1 }, (_, n) => snapshotEntry(n, changes));
    const [last, after] = lines(entries).slice(-2);
    const long = '"oneDayPriceChange":1,"sevenDayPriceChange":-2.5,"thirtyDayPriceChange":0,"endDate"';
    expect(last?.[0]).toContain(long);
    expect(last?.[0]).toBe(last?.[1]);
    expect(after?.[0]).toContain('"oneDayPriceChange":1,"endDate"');
    expect(after?.[0]).toBe(after?.[1]);
  });

  it('is left to others where a text has no parts', () => {
    const entry = snapshotEntry(1);
    const former = new HeldTable([JSON.stringify(tableOf([entry]).facts(0))], [numbersOf(entry)]);
    expect(lineAt(former, 0)).toBeUndefined();
  });
});
