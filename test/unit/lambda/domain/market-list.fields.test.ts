import { describe, expect, it } from '@jest/globals';
import { defaultFields, MarketList, outcomeOf, weightOf } from '../../../../lambda/domain/market-list.ts';
import { marketRecord } from '../../../support/market-record.ts';

const named = (label: string) => {
  const record = marketRecord(1);
  const [yes, no] = record.outcomes;
  return { ...record, outcomes: [...(no ? [no] : []), ...(yes ? [{ ...yes, label }] : [])] };
};

describe('the name of YES', () => {
  it.each(['Yes', 'yes', ' YES '])('is not said where it is %j', (label) => {
    expect(outcomeOf(named(label))).toBeUndefined();
  });

  it.each(['Up', 'Yes, but', 'No'])('is said where it is %j', (label) => {
    expect(outcomeOf(named(label))).toBe(label);
  });

  it('is not known where no outcome has the token of the market', () => {
    expect(outcomeOf({ ...marketRecord(1), outcomes: [] })).toBeUndefined();
  });
});

describe('the default fields', () => {
  it('say the name of YES where it is not "Yes", last', () => {
    expect(Object.entries(defaultFields(named('Up'), 0)).at(-1)).toEqual(['outcome', 'Up']);
    expect(defaultFields(named('Yes'), 0)).not.toHaveProperty('outcome');
  });

  it('hold no slug where there is none', () => {
    const { slug: _, ...record } = marketRecord(1);
    expect(defaultFields(record, 0)).not.toHaveProperty('slug');
  });
});

describe('the weight of a line', () => {
  it.each([
    ['', 3],
    ['abc', 6],
    ['"', 5],
    ['é', 5],
    ['日', 6],
    ['\n', 5],
  ])('of %j is %i bytes: as JSON inside of JSON, with what parts it from the next', (line, bytes) => {
    expect(weightOf(line)).toBe(bytes);
  });
});

describe('a list of markets', () => {
  /** Tells which positions were encoded. */
  const rig = () => {
    const encoded: number[] = [];
    const lineAt = (position: number) => {
      encoded.push(position);
      return `{"n":${position}}`;
    };
    return { encoded, list: MarketList.of(3, (position) => marketRecord(position), lineAt) };
  };

  it('encodes a market once, and weighs it without encoding it again', () => {
    const { encoded, list } = rig();
    expect(list.line(1)).toBe('{"n":1}');
    expect([list.weightAt(1), list.weightAt(1)]).toEqual([12, 12]);
    expect(list.pick([1, 0, 1])).toBe('[{"n":1},{"n":0},{"n":1}]');
    expect(encoded).toEqual([1, 0]);
  });

  it('parts the markets of a page by line feeds, and ends where it ends', () => {
    const { list } = rig();
    expect(list.length).toBe(3);
    expect(list.slice(1, 9)).toBe('[{"n":1},\n{"n":2}]');
    expect(list.slice(2, 2)).toBe('[]');
  });
});
