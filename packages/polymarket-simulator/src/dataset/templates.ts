/**
 * Events and their markets as data. `{list}` is drawn once for the event, `{list*}` differs from one market of the
 * event to the next, `{list2}` is a second, different draw of `list`; `{month}`, `{day}` and `{year}` come from the
 * event's end date.
 */

export interface MarketTemplate {
  readonly question: string;
  /** @default ['Yes', 'No'] */
  readonly outcomes?: readonly [string, string];
  /** @default the question's starred word, or nothing */
  readonly group?: string;
}

export interface EventTemplate {
  readonly title: string;
  /** Tag slugs, next to `all`. */
  readonly tags: readonly string[];
  /** How often it is drawn, relative to the others. */
  readonly weight: number;
  /** The markets of the event take these in turn. */
  readonly markets: readonly [MarketTemplate, ...MarketTemplate[]];
}

/** An event template; a market given as a string asks a Yes/No question. */
function event(
  weight: number,
  tags: string,
  title: string,
  ...markets: readonly [string | MarketTemplate, ...(string | MarketTemplate)[]]
): EventTemplate {
  const [first, ...rest] = markets.map((market) =>
    typeof market === 'string' ? { question: market } : market,
  );
  return { weight, tags: tags.split(' '), title, markets: [first ?? { question: title }, ...rest] };
}

function match(list: string): readonly [MarketTemplate, ...MarketTemplate[]] {
  const teams: readonly [string, string] = [`{${list}}`, `{${list}2}`];
  return [
    { question: `{${list}} vs. {${list}2}`, outcomes: teams },
    { question: `{${list}} vs. {${list}2}: O/U {total}`, outcomes: ['Over', 'Under'], group: 'O/U {total}' },
    { question: `Spread: {${list}} (-1.5)`, outcomes: teams, group: `{${list}} (-1.5)` },
    { question: `Will {${list}} win on {month} {day}?` },
  ];
}

export const EVENT_TEMPLATES: readonly [EventTemplate, ...EventTemplate[]] = [
  event(
    3,
    'politics elections us-election',
    'Presidential Election Winner {year}',
    'Will {person*} win the {year} US Presidential Election?',
  ),
  event(
    5,
    'politics elections primaries us-election',
    '{state} Senate primary',
    'Will {person*} win the {state} Senate primary in {year}?',
  ),
  event(
    7,
    'politics elections state',
    'Next president of {country}',
    'Will {candidate*} win the {year} presidential election in {country}?',
  ),
  event(
    2,
    'politics elections us-election',
    'House seats won by Democrats in {year}',
    'Will the Democrats win {seats*} House seats in {month} {year}?',
  ),
  event(
    4,
    'politics state',
    'Who leaves office in {year}?',
    'Will {candidate*} be out as head of government of {country} by {month} {day}, {year}?',
  ),
  event(
    3,
    'politics geopolitics state',
    'Ceasefire in {year}?',
    'Will {country*} sign a ceasefire & troop withdrawal deal by {month} {day}?',
  ),
  event(
    9,
    'crypto crypto-prices',
    'What price will {coin} hit in {month}?',
    { question: 'Will {coin} reach {level*} by {month} {day}?', group: '↑ {level*}' },
    { question: 'Will {coin} dip to {level*} in {month}?', group: '↓ {level*}' },
  ),
  event(7, 'crypto crypto-prices recurring', '{coin} Up or Down', {
    question: '{coin} Up or Down - {month} {day}, {hour*}',
    outcomes: ['Up', 'Down'],
  }),
  event(
    3,
    'crypto airdrops',
    '{token} airdrop',
    'Will {token} perform an airdrop by {month} {day*}, {year}?',
  ),
  event(6, 'sports nba games', '{nba} vs. {nba2}', ...match('nba')),
  event(5, 'sports nfl games', '{nfl} vs. {nfl2}', ...match('nfl')),
  event(7, 'sports soccer games', '{club} vs. {club2}', ...match('club')),
  event(
    3,
    'sports esports games',
    '{game}: {esports} vs {esports2}',
    { question: '{game}: {esports} vs {esports2} (BO3)', outcomes: ['{esports}', '{esports2}'] },
    {
      question: '{game}: {esports} vs {esports2} - Game {n*} Winner',
      outcomes: ['{esports}', '{esports2}'],
    },
  ),
  event(3, 'sports nba', '{year} NBA Champion', 'Will the {nba*} win the {year} NBA Finals?'),
  event(
    3,
    'sports soccer champions-league',
    'Champions League Winner',
    'Will {club*} win the {year} Champions League?',
  ),
  event(2, 'sports ufc', 'UFC Fight Night: {fighter}', 'Will {fighter*} win by KO or TKO on {month} {day}?'),
  event(5, 'economy fed fed-rates', 'Fed decision in {month}?', {
    question: 'Fed rate decision: {bps*} after {month} {year} meeting?',
    group: '{bps*}',
  }),
  event(
    4,
    'economy inflation',
    'US inflation in {month}',
    'Will annual CPI inflation be >{rate*} in {month} {year}?',
  ),
  event(
    2,
    'economy jobs',
    'Recession & jobs {year}',
    { question: 'US recession by {month} {year}?' },
    { question: 'Will the unemployment rate be <{rate*} in {month}?', group: '<{rate*}' },
  ),
  event(
    5,
    'tech ai big-tech',
    'Which company has the best AI model end of {month}?',
    'Will {company*} have the best AI model at the end of {month} {year}?',
  ),
  event(3, 'tech ai', '{model} released by…?', '{model} released by {month} {day*}, {year}?'),
  event(
    3,
    'tech big-tech finance',
    'Largest company end of {month}?',
    'Will {company*} be the largest company in the state by market cap on {month} {day}?',
  ),
  event(3, 'pop-culture movies', '"{film}" opening weekend', {
    question: 'Will "{film}" gross {amount*} on its opening weekend?',
    group: '{amount*}',
  }),
  event(
    3,
    'pop-culture music',
    'New albums in {year}',
    'Will {artist*} release a new album before {month} {year}?',
  ),
  event(2, 'pop-culture music', 'Top Spotify artist {year}', '{artist*} top Spotify artist of {year}?'),
  event(5, 'weather daily-temperature', 'Highest temperature in {city} on {month} {day}?', {
    question: 'Will the highest temperature in {city} be {degrees*} on {month} {day}?',
    group: '{degrees*}',
  }),
  event(
    1,
    'weather science',
    'Hurricane season {year}',
    'Will {n*}+ hurricanes form in the Atlantic before {month} {day}, {year}?',
  ),
];
