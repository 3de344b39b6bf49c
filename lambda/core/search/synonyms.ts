/**
 * Word lists of the search: synonyms, and words that it ignores or trusts less. A query with one
 * member of a group of synonyms also finds markets with the others, so a group has only names of
 * the same thing, not related words. All are in lower case without accents.
 */
export const SYNONYMS: readonly (readonly string[])[] = [
  ['btc', 'bitcoin'],
  ['eth', 'ethereum', 'ether'],
  ['sol', 'solana'],
  ['doge', 'dogecoin'],
  ['xrp', 'ripple'],
  ['ada', 'cardano'],
  ['link', 'chainlink'],
  ['ltc', 'litecoin'],
  ['avax', 'avalanche'],
  ['fed', 'federal reserve', 'fomc'],
  ['ecb', 'european central bank'],
  ['boj', 'bank of japan'],
  ['boe', 'bank of england'],
  ['rbnz', 'reserve bank of new zealand'],
  ['scotus', 'supreme court'],
  ['pm', 'prime minister'],
  // "newsom president" means the race for the office.
  ['potus', 'president', 'presidential election'],
  ['gop', 'republican', 'republicans'],
  ['dem', 'dems', 'democrat', 'democrats', 'democratic'],
  ['ai', 'artificial intelligence'],
  ['cut', 'decrease', 'reduce'],
  ['hike', 'increase', 'raise'],
  ['valuation', 'market cap'],
  ['bps', 'basis points'],
  ['ath', 'all time high'],
  ['aoc', 'alexandria ocasio cortez'],
  ['rfk', 'robert f kennedy'],
  ['mtg', 'marjorie taylor greene'],
  ['sga', 'shai gilgeous alexander'],
  ['epl', 'english premier league'],
  ['ucl', 'champions league'],
  ['oscar', 'oscars', 'academy award', 'academy awards'],
  ['wc', 'world cup'],
  ['poty', 'player of the year'],
  ['roty', 'rookie of the year'],
  // Super Bowl LX, GTA VI.
  ['lx', '60'],
  ['vi', '6'],
  ['okc', 'oklahoma city'],
  ['st', 'saint'],
  ['1st', 'first'],
  ['2nd', 'second'],
  ['3rd', 'third'],
  // Places and their people, unless one begins the other.
  ['us', 'usa', 'united states', 'america', 'american'],
  ['uk', 'united kingdom', 'britain', 'british'],
  ['eu', 'european union'],
  ['uae', 'united arab emirates'],
  ['la', 'los angeles'],
  ['ny', 'new york'],
  ['nyc', 'new york city'],
  ['france', 'french'],
  ['germany', 'german'],
  ['netherlands', 'dutch', 'holland'],
  ['spain', 'spanish'],
  ['italy', 'italian'],
  ['portugal', 'portuguese'],
  ['sweden', 'swedish'],
  ['norway', 'norwegian'],
  ['denmark', 'danish'],
  ['finland', 'finnish'],
  ['poland', 'polish'],
  ['hungary', 'hungarian'],
  ['scotland', 'scottish'],
  ['ireland', 'irish'],
  ['greece', 'greek'],
  ['turkey', 'turkish', 'turkiye'],
  ['switzerland', 'swiss'],
  ['czechia', 'czech'],
  ['slovenia', 'slovenian'],
  ['bulgaria', 'bulgarian'],
  ['romania', 'romanian'],
  ['russia', 'russian'],
  ['ukraine', 'ukrainian'],
  ['israel', 'israeli'],
  ['iran', 'iranian'],
  ['china', 'chinese'],
  ['japan', 'japanese'],
  ['korea', 'korean'],
  ['india', 'indian'],
  ['thailand', 'thai'],
  ['nepal', 'nepalese', 'nepali'],
  ['ethiopia', 'ethiopian'],
  ['brazil', 'brazilian'],
  ['argentina', 'argentine', 'argentinian'],
  ['colombia', 'colombian'],
  ['peru', 'peruvian'],
  ['chile', 'chilean'],
  ['mexico', 'mexican'],
  ['canada', 'canadian'],
  ['jan', 'january'],
  ['feb', 'february'],
  ['mar', 'march'],
  ['apr', 'april'],
  ['aug', 'august'],
  ['sep', 'sept', 'september'],
  ['oct', 'october'],
  ['nov', 'november'],
  ['dec', 'december'],
];

/** Nearly every question contains these words, so a query ignores them. */
export const STOP_WORDS = termSet(
  'a an the of in on at to for from by with and or vs versus',
  'is are was were be been will would do does did',
  'if than who what when where which how percent',
);

/**
 * Terms that narrow a query but mean nothing alone. If no market has all terms, a result must
 * contain another term: "recession 2026" does not return every market of 2026.
 */
export const WEAK_TERMS = termSet(
  'january february march april may june july august september october november december',
  'jan feb mar apr jun jul aug sep sept oct nov dec',
  'monday tuesday wednesday thursday friday saturday sunday',
  'day week month year today tomorrow before after end start',
  'no not yes or any all more less next new win first last',
);

/** The terms of lines, separated by blanks. */
function termSet(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(' ')));
}
