/**
 * Different spellings of one thing. Each row is a group: a query with any member also finds the others. Members may have
 * several words; a market must contain all of them. Lower case, accents removed.
 *
 * A row belongs here when a person would call the members the same word. Related words do not belong here.
 */
export const SYNONYMS: readonly (readonly string[])[] = [
  // Coins and their tickers.
  ['btc', 'bitcoin'],
  ['eth', 'ethereum', 'ether'],
  ['sol', 'solana'],
  ['doge', 'dogecoin'],
  ['xrp', 'ripple'],
  ['ada', 'cardano'],
  ['link', 'chainlink'],
  ['ltc', 'litecoin'],
  ['avax', 'avalanche'],
  // Institutions, offices, parties.
  ['fed', 'federal reserve', 'fomc'],
  ['ecb', 'european central bank'],
  ['boj', 'bank of japan'],
  ['boe', 'bank of england'],
  ['rbnz', 'reserve bank of new zealand'],
  ['scotus', 'supreme court'],
  ['pm', 'prime minister'],
  // The query "newsom president" means the race for the office.
  ['potus', 'president', 'presidential election'],
  ['gop', 'republican', 'republicans'],
  ['dem', 'dems', 'democrat', 'democrats', 'democratic'],
  ['ai', 'artificial intelligence'],
  // Money matters.
  ['cut', 'decrease', 'reduce'],
  ['hike', 'increase', 'raise'],
  ['valuation', 'market cap'],
  ['bps', 'basis points'],
  ['ath', 'all time high'],
  // People known by their initials.
  ['aoc', 'alexandria ocasio cortez'],
  ['rfk', 'robert f kennedy'],
  ['mtg', 'marjorie taylor greene'],
  ['sga', 'shai gilgeous alexander'],
  // Competitions and teams.
  ['epl', 'english premier league'],
  ['ucl', 'champions league'],
  ['oscar', 'oscars', 'academy award', 'academy awards'],
  ['wc', 'world cup'],
  ['poty', 'player of the year'],
  ['roty', 'rookie of the year'],
  ['lx', '60'],
  ['vi', '6'],
  ['okc', 'oklahoma city'],
  ['st', 'saint'],
  ['1st', 'first'],
  ['2nd', 'second'],
  ['3rd', 'third'],
  // Places and their people, where the one is not the beginning of the other or a query may hold either.
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
  // Months as upstream shortens them.
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

/** Terms that a query may contain without effect: nearly every question contains them. */
export const STOP_WORDS: ReadonlySet<string> = new Set([
  ...['a', 'an', 'the', 'of', 'in', 'on', 'at', 'to', 'for', 'from', 'by', 'with', 'and', 'or'],
  ...['vs', 'versus', 'is', 'are', 'was', 'were', 'be', 'been', 'will', 'would', 'do', 'does', 'did'],
  ...['if', 'than', 'who', 'what', 'when', 'where', 'which', 'how', 'percent'],
]);

/**
 * Terms that narrow a query and mean nothing by themselves. If no market contains all terms of a query, a result must
 * contain another term than these and numbers: "recession 2026" does not return every market of 2026.
 */
export const WEAK_TERMS: ReadonlySet<string> = new Set([
  ...['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september', 'october'],
  ...['november', 'december', 'jan', 'feb', 'mar', 'apr', 'jun', 'jul', 'aug', 'sep', 'sept', 'oct', 'nov', 'dec'],
  ...['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'],
  ...['day', 'week', 'month', 'year', 'today', 'tomorrow', 'before', 'after', 'end', 'start'],
  ...['no', 'not', 'yes', 'or', 'any', 'all', 'more', 'less', 'next', 'new', 'win', 'first', 'last'],
]);
