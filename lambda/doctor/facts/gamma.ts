import { readGammaMarket } from '../../polymarket/gamma-market.ts';
import { asNumber, asObject } from '../../polymarket/json-values.ts';
import { type Fact, finding } from '../fact.ts';
import { wordsOf } from '../probe.ts';
import { UntestableError } from '../untestable-error.ts';

/** The service publishes while at least so many of the catalogue's records can be read. */
const READABLE_SHARE = 0.9;
/** Share of markets that may be of an unknown version before it matters to the list. */
const FEW = 0.05;
/** How long a page may have lain in the upstream's shared cache, s. */
const CACHE_SECONDS = 300;

/** What the catalogue has to be like. */
export const GAMMA_FACTS: readonly Fact[] = [
  {
    upstream: 'gamma',
    fact: 'lists markets by cursor',
    grade: 'A',
    severity: 'stops',
    otherwise: 'no catalogue, no snapshot: 502 once the last one is too old',
    look: async (visit) => {
      const { markets, response } = await visit.firstPage();
      return finding(markets.length > 0, `${markets.length} markets in ${response.ms} ms`);
    },
  },
  {
    upstream: 'gamma',
    fact: 'its markets can be read',
    grade: 'A',
    severity: 'stops',
    otherwise: 'markets are left out of the list; with half of them gone nothing is published',
    look: async (visit) => {
      const { markets } = await visit.sample(() => visit.firstPage());
      const skipped = markets
        .map(readGammaMarket)
        .flatMap((record) => (record.kind === 'skipped' ? [record.reason] : []));
      const reasons = Object.entries(Object.groupBy(skipped, (reason) => reason));
      const seen = reasons.map(([reason, found]) => `${reason} ${found?.length}`).join(', ');
      const readable = markets.length - skipped.length;
      return finding(
        readable >= markets.length * READABLE_SHARE,
        `${readable} of ${markets.length}${seen ? `; ${seen}` : ''}`,
      );
    },
  },
  {
    upstream: 'gamma',
    fact: 'nearly every version is v1 or v2',
    grade: 'A',
    severity: 'degrades',
    otherwise: 'markets of a protocol that the service does not know are left out',
    look: async (visit) => {
      const { markets } = await visit.sample(() => visit.firstPage());
      const versions = Object.entries(Object.groupBy(markets, ({ version }) => String(version ?? 'none')));
      const seen = versions.map(([version, found]) => `${version} ${found?.length}`).join(', ');
      const unknown = markets.filter(
        ({ version }) => !['none', 'v1', 'v2'].includes(String(version ?? 'none')),
      );
      return finding(unknown.length <= markets.length * FEW, seen);
    },
  },
  {
    upstream: 'gamma',
    fact: 'gives 100 markets a page',
    grade: 'A',
    severity: 'degrades',
    otherwise: 'a run takes more calls and more time',
    look: async (visit) => {
      const { markets, cursor } = await visit.sample(() => visit.firstPage());
      return finding(markets.length === 100 || cursor === undefined, `${markets.length}`);
    },
  },
  {
    upstream: 'gamma',
    fact: 'a larger limit is clamped to 100',
    grade: 'A',
    severity: 'note',
    otherwise: 'larger pages would save calls',
    look: async (visit) => {
      const { markets } = await visit.page('/markets/keyset?limit=500&closed=false');
      return finding(markets.length <= 100, `${markets.length} of 500`);
    },
  },
  {
    upstream: 'gamma',
    fact: 'after_cursor leads to new markets',
    grade: 'A',
    severity: 'stops',
    otherwise: 'no more than the first hundred markets are found',
    look: async (visit) => {
      const first = await visit.sample(() => visit.firstPage());
      const second = await visit.secondPage();
      const known = new Set(first.markets.map(({ id }) => id));
      const fresh = second.markets.filter(({ id }) => !known.has(id)).length;
      return finding(fresh > 0, `${fresh} of ${second.markets.length} are new`);
    },
  },
  {
    upstream: 'gamma',
    fact: 'order=volumeNum descends by number',
    grade: 'A',
    severity: 'degrades',
    otherwise: 'the list is not the markets of highest volume',
    look: async (visit) => {
      const { markets } = await visit.sample(() => visit.firstPage());
      const volumes = markets.map(({ volumeNum }) => asNumber(volumeNum) ?? 0);
      const wrong = volumes.filter((volume, n) => n > 0 && volume > (volumes[n - 1] ?? 0)).length;
      return finding(wrong <= volumes.length * 0.05, `${wrong} of ${volumes.length} out of order`);
    },
  },
  {
    upstream: 'gamma',
    fact: 'closed=false is honoured',
    grade: 'A',
    severity: 'degrades',
    otherwise: 'a run reads closed markets too and finds fewer open ones in its time',
    look: async (visit) => {
      const { markets } = await visit.sample(() => visit.firstPage());
      const closed = markets.filter((market) => market.closed === true).length;
      return finding(closed === 0, `${closed} closed of ${markets.length}`);
    },
  },
  {
    upstream: 'gamma',
    fact: 'volume_num_min is honoured',
    grade: 'A',
    severity: 'degrades',
    otherwise: 'the catalogue is read page by page rather than in bands, which takes longer',
    look: async (visit) => {
      const { markets } = await visit.sample(() => visit.firstPage());
      const bound = Math.floor(asNumber(markets[Math.floor(markets.length / 2)]?.volumeNum) ?? 0);
      if (bound <= 0) throw new UntestableError('no market has a volume');
      const page = await visit.page(
        `/markets/keyset?limit=20&order=volumeNum&ascending=true&closed=false&volume_num_min=${bound}`,
      );
      const below = page.markets.filter(({ volumeNum }) => (asNumber(volumeNum) ?? 0) < bound).length;
      return finding(
        below === 0 && page.markets.length > 0,
        `${below} of ${page.markets.length} below ${bound}`,
      );
    },
  },
  {
    upstream: 'gamma',
    fact: 'include_tag gives tags with slugs',
    grade: 'A',
    severity: 'degrades',
    otherwise: 'categories and tags are empty',
    look: async (visit) => {
      const markets = await visit.markets();
      const tagged = markets.filter(({ tags }) => tags.length > 0).length;
      return finding(tagged > markets.length / 2, `${tagged} of ${markets.length} tagged`);
    },
  },
  {
    upstream: 'gamma',
    fact: 'unknown ids give an empty page without a cursor',
    grade: 'A',
    severity: 'note',
    otherwise: 'the end of a list may look otherwise, too',
    look: async (visit) => {
      const { markets, cursor } = await visit.page('/markets/keyset?limit=5&condition_ids=0x00');
      return finding(markets.length === 0 && cursor === undefined, `${markets.length} markets`);
    },
  },
  {
    upstream: 'gamma',
    fact: 'offset is refused on the keyset route',
    grade: 'A',
    severity: 'note',
    otherwise: 'pages could be read side by side',
    look: async (visit) => {
      const response = await visit.probe.get('gamma', '/markets/keyset?limit=1&offset=1');
      return finding(response.status === 422, wordsOf(response));
    },
  },
  {
    upstream: 'gamma',
    fact: 'pages are at most five minutes old',
    grade: 'A',
    severity: 'note',
    otherwise: 'volumes, dates and new markets come later',
    look: async (visit) => {
      const { response } = await visit.sample(() => visit.firstPage());
      const age = asNumber(response.headers.get('age') ?? undefined) ?? 0;
      return finding(age <= CACHE_SECONDS, `age ${age} s`);
    },
  },
  {
    upstream: 'gamma',
    fact: 'says where its schema is',
    grade: 'A',
    severity: 'note',
    otherwise: 'a change of the form is noticed by its keys alone',
    look: async (visit) => {
      const { response } = await visit.sample(() => visit.firstPage());
      const schema = asObject(response.body)?.$schema;
      return finding(typeof schema === 'string', String(schema ?? 'none'));
    },
  },
];
