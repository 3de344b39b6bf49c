import { describe, expect, it } from '@jest/globals';
import { createSearchIndex } from '../../../../lambda/search/search-index.ts';
import { found as foundIn, market, questions } from './search-markets.ts';

function found(query: string, ...all: readonly string[]): readonly number[] {
  return foundIn(questions(...all), query);
}

describe('text search', () => {
  it('orders equal matches by volume, which is their order in the list', () => {
    const all = [
      'Will the Lakers of Los Angeles, California, win?',
      'Will it rain?',
      'Lakers win?',
      'Lakers to lose?',
    ];
    expect(found('lakers', ...all)).toEqual([0, 2, 3]);
  });

  it('puts the exact word before the plural, the synonym, the longer word', () => {
    expect(found('eth', 'Ethena up?', 'Ethereum up?', 'Eths up?', 'ETH up?')).toEqual([3, 2, 1, 0]);
  });

  it('puts the exact word before one that begins so, and leaves typos out while either is there', () => {
    expect(found('maple', 'Will maples grow tall, maplewood?', 'Maplewood?', 'Staple?', 'Maple?')).toEqual([
      3, 0, 1,
    ]);
  });

  it('takes all words with the beginning typed for equal, however long they are', () => {
    expect(found('micro', 'MicroStrategy sells?', 'Microsoft sells?', 'A micro loan?')).toEqual([2, 0, 1]);
  });

  it.each([
    ['lakres', 'swapped letters'],
    ['laker', 'a letter short'],
    ['lakerss', 'a letter more'],
    ['lskers', 'a wrong letter'],
    ['makers', 'a wrong first letter'],
  ])('forgives "%s": %s', (query) => {
    expect(found(query, 'Will it rain?', 'Will the Lakers win?')).toEqual([1]);
  });

  it('forgives two edits in a long word and not in a short one', () => {
    expect(found('presidancial', 'A presidential race?')).toEqual([0]);
    expect(found('lkras', 'Lakers?')).toEqual([]);
  });

  it.each([
    ['cat', 'Will the car start?'],
    ['gold', 'Will it be cold?'],
    ['2027', 'Will it happen in 2026?'],
    ['150000', 'Will it reach $160,000?'],
    ['t21', 'Will T20 be played?'],
  ])('takes short words and numbers as they are: "%s" is not in "%s"', (query, question) => {
    expect(found(query, question)).toEqual([]);
  });

  it.each([
    ['btc 150k', 'Will Bitcoin reach $150,000?'],
    ['bitcoin 150000', 'Will BTC reach 150k?'],
    ['1 million', 'Will it hit $1m?'],
    ['1,000,000', 'Will it hit 1 million?'],
    ['50b', 'Between $50-100b?'],
    ['25bps', 'Cut by 25 bps?'],
    ['gta6', 'Will GTA 6 be late?'],
    ['gta 6', 'GTA VI released?'],
    ['superbowl', 'Who wins the Super Bowl?'],
    ['open ai', 'Will OpenAI list?'],
    ['doge coin', 'Will Dogecoin rise?'],
    ['fed decision', 'Federal Reserve decision in May?'],
    ['united states', 'Will the U.S. win?'],
    ['jd vance', 'Will J.D. Vance run?'],
    ['orourke', 'Will Beto O’Rourke run?'],
    ['prime minister', 'Next PM of Malta?'],
    ['yesilgoz zegerius', 'Will Dilan Yeşilgöz-Zegerius win?'],
    ['rates', 'A rate of 5%?'],
    ['economies of scale', 'Economies of scale?'],
  ])('"%s" finds "%s"', (query, question) => {
    expect(found(query, 'Will it rain in 2099?', question)).toEqual([1]);
  });

  it('wants all words, in any order', () => {
    const all = ['Russia x Ukraine ceasefire?', 'Will Ukraine qualify?', 'Ceasefire in Gaza?'];
    expect(found('ceasefire ukraine', ...all)).toEqual([0]);
  });

  it('looks for typos in the other words before it gives one up', () => {
    expect(found('jonny smith', 'Will Jonny Depp win?', 'Will Johnny Smith win?', 'Smith or Jones?')).toEqual(
      [1],
    );
  });

  it('takes any word when no market holds all, the rarest and the most of them first', () => {
    const all = [
      'Will Trump run?',
      'Will Trump resign?',
      'Will Trump meet Putin?',
      'Will it rain?',
      'Zebra for Trump?',
    ];
    expect(found('trump zebra putin', ...all)).toEqual([2, 4, 0, 1]);
  });

  it('does not want the empty words of a question', () => {
    expect(
      found('when will the lakers be in the finals', 'Lakers reach finals?', 'Will the finals be late?'),
    ).toEqual([0]);
  });

  it('searches for empty words when there are no others', () => {
    expect(found('who will', 'Rain?', 'Who will win?', 'Will it rain?')).toEqual([1]);
  });

  it('finds words of the event title and the slug, below those of the question', () => {
    const index = createSearchIndex([
      market('Will Duke cover?', { slug: 'duke-tarheels-spread' }),
      market('Spread: -5.5', { eventTitle: 'Duke vs. Tarheels' }),
      market('Will the Tarheels win?'),
    ]);
    for (const query of ['tarheels', 'tarhe', 'tarhels'])
      expect(index.search(query, 20).positions).toEqual([2, 1, 0]);
  });

  it('puts a question typed whole first', () => {
    expect(found('will france win', 'Will France win the World Cup?', 'Will France win?')).toEqual([1, 0]);
  });

  it('finds nothing for a word no market holds, and for nothing', () => {
    expect(found('xylophonist', 'Will it rain?')).toEqual([]);
    expect(found('?? %', 'Will it rain?')).toEqual([]);
    expect(foundIn([], 'rain')).toEqual([]);
  });

  it.each([
    [2, 2],
    [2.9, 2],
    [50, 3],
    [Number.POSITIVE_INFINITY, 3],
    [0, 0],
    [-1, 0],
    [Number.NaN, 0],
  ])('with a limit of %p gives %p of three', (limit, count) => {
    expect(foundIn(questions('rain a?', 'rain b?', 'rain c?'), 'rain', limit)).toHaveLength(count);
  });
});

describe('how results were found', () => {
  const index = createSearchIndex(
    questions(
      'Will Trump meet Putin in 2026?',
      'Will Bitcoin fall in March?',
      'NBA Finals 2026: no overtime?',
    ),
  );
  const match = (query: string) => {
    const { positions, match: kind } = index.search(query);
    return [kind, positions];
  };

  it('tells all terms, any term and a category apart', () => {
    expect(match('trump putin')).toEqual(['all', [0]]);
    expect(match('trmp putin')).toEqual(['all', [0]]);
    expect(match('trump zebra')).toEqual(['any', [0]]);
    expect(match('crypto zebra')).toEqual(['category', [1]]);
    expect(match('zebra')).toEqual(['all', []]);
  });

  it.each(['recession 2026', 'recession no', 'zebra march', 'zebra 1st march 2026', 'no zebra before march'])(
    '"%s" is no wish for anything of that date',
    (query) => {
      expect(match(query)).toEqual(['all', []]);
    },
  );

  it('a date still orders what another term finds', () => {
    const markets = questions('Bitcoin in March?', 'Bitcoin in April?');
    expect(createSearchIndex(markets).search('bitcoin april zebra')).toMatchObject({
      match: 'any',
      positions: [1, 0],
    });
  });
});

describe('all results, filters and categories', () => {
  const index = createSearchIndex([
    market('Bitcoin 1?'),
    market('Fed and Bitcoin?', { tags: ['sports'] }),
    market('Rain?'),
    market('Bitcoin 3?'),
  ]);

  it('gives all ranked results without a limit, and counts what a filter accepts', () => {
    expect(index.search('bitcoin')).toEqual({ positions: [0, 1, 3], total: 3, match: 'all' });
    expect(index.search('bitcoin', 1, (position) => position > 0)).toMatchObject({
      positions: [1],
      total: 2,
    });
    expect(index.search('crypto', 1, (position) => position > 1)).toMatchObject({ positions: [3], total: 1 });
  });

  it('tells the members of a category and the categories of a market', () => {
    expect(index.membersOf('crypto')).toEqual([0, 1, 3]);
    expect(index.membersOf('tech')).toEqual([]);
    expect(index.categoriesAt(1)).toEqual(['crypto', 'sports', 'economics']);
    expect(index.categoriesAt(2)).toEqual([]);
  });
});
