/** `npm run doctor`: checks that the live upstreams behave as the service needs it. Options: see USAGE. */
import { parseArgs } from 'node:util';
import { VERSION } from '../lambda/contract/constants.ts';
import type { CatalogueMarket } from '../lambda/domain/market.ts';
import { readGammaMarket } from '../lambda/polymarket/gamma-market.ts';
import { HISTORY_BATCH_TOKENS } from '../lambda/polymarket/history-routes.ts';
import * as json from '../lambda/polymarket/json-values.ts';
import { perUpstream, UPSTREAMS, type UpstreamName } from '../lambda/upstream/upstreams.ts';

const USAGE = `Usage: npm run doctor -- [--gamma-url URL] [--clob-url URL] [--data-url URL]

Makes about 12 calls to the upstreams and checks the facts that the service needs.
Exit status: 0 all facts hold; 1 the service would run, but a part of it is worse; 2 the service could not run.`;

type Urls = Readonly<Record<UpstreamName, string>>;
type Finding = readonly [holds: boolean, seen: string];
type Look = (visit: Visit) => Promise<Finding>;

interface Fact {
  readonly fact: string;
  /** Whether the service cannot run without it. */
  readonly stops: boolean;
  /** What the service does if the fact does not hold. */
  readonly otherwise: string;
  readonly look: Look;
}

export interface Examined extends Omit<Fact, 'look'> {
  readonly holds: boolean;
  readonly seen: string;
}

const DAY_SECONDS = 86_400;
const FIRST_PAGE = '/markets/keyset?limit=100&order=volumeNum&ascending=false&closed=false&include_tag=true';
/** Share of the records of a page that the service must be able to read. */
const MIN_READABLE = 0.9;
/** Statuses with which an upstream or its firewall blocks an address. */
const BLOCKED: readonly number[] = [401, 403, 429, 451];

/** The calls to the upstreams. Facts share the first page of the catalogue. */
class Visit {
  readonly #urls: Urls;
  #firstPage: Promise<{ markets: readonly json.WireObject[]; cursor: string | undefined }> | undefined;

  constructor(urls: Urls) {
    this.#urls = urls;
  }

  /** @throws Error if there is no JSON response in time, or if the upstream blocks this address */
  async call(upstream: UpstreamName, path: string, sent?: unknown) {
    const response = await fetch(`${this.#urls[upstream]}${path}`, {
      method: sent === undefined ? 'GET' : 'POST',
      headers: { 'user-agent': `market-data-proxy/${VERSION}`, 'content-type': 'application/json' },
      signal: AbortSignal.timeout(UPSTREAMS[upstream].timeoutMs),
      body: sent === undefined ? null : JSON.stringify(sent),
    }).catch((error: Error) => {
      throw new Error(`no response from ${upstream}: ${messageOf(error.cause ?? error)}`);
    });
    const { status } = response;
    if (BLOCKED.includes(status)) throw new Error(`${upstream} blocks this address, status ${status}`);
    const received: unknown = await response.json().catch(() => {
      throw new Error(`status ${status}, not JSON`);
    });
    return { status, body: json.asObject(received) };
  }

  async page(path: string) {
    const { status, body } = await this.call('gamma', path);
    if (!Array.isArray(body?.markets)) throw new Error(`status ${status}, no list of markets`);
    const markets = body.markets.map((market): json.WireObject => json.asObject(market) ?? {});
    return { markets, cursor: json.asText(body.next_cursor) };
  }

  firstPage() {
    this.#firstPage ??= this.page(FIRST_PAGE);
    return this.#firstPage;
  }

  /** The readable markets of the first page, highest volume first. */
  async markets(): Promise<readonly CatalogueMarket[]> {
    const records = (await this.firstPage()).markets.map(readGammaMarket);
    const markets = records.flatMap((record) => (record.kind === 'listable' ? [record.market] : []));
    if (markets.length === 0) throw new Error('no market of the first page can be read');
    return markets;
  }

  /** The token of a market with an order book and a history. */
  async token(): Promise<string> {
    const markets = await this.markets();
    const traded = markets.find(({ bestBid, bestAsk }) => bestBid !== undefined && bestAsk !== undefined);
    return (traded ?? markets[0])?.clobTokenId ?? '';
  }
}

const stops = (fact: string, otherwise: string, look: Look): Fact => ({ fact, stops: true, otherwise, look });
const worsens = (fact: string, otherwise: string, look: Look): Fact => ({
  ...stops(fact, otherwise, look),
  stops: false,
});
const volumeOf = (market: json.WireObject | undefined) => json.asNumber(market?.volumeNum) ?? 0;

const GAMMA_FACTS = [
  stops('Gamma lists open markets', 'There are no snapshots; callers get 502.', async (visit) => {
    const { markets } = await visit.firstPage();
    const closed = markets.filter((market) => market.closed === true).length;
    return [markets.length > 0 && closed === 0, `${markets.length} markets, ${closed} of them closed`];
  }),
  stops('the service can read the markets', 'Markets are missing from the list.', async (visit) => {
    const records = (await visit.firstPage()).markets.map(readGammaMarket);
    const reasons = records.flatMap((record) =>
      record.kind === 'skipped' ? [`${record.reason} ${record.version ?? ''}`.trim()] : [],
    );
    const counts = [...Map.groupBy(reasons, (name) => name)].map(([name, all]) => `${name}: ${all.length}`);
    const readable = records.length - reasons.length;
    const seen = [`${readable} of ${records.length}`, ...counts].join(', ');
    return [readable >= records.length * MIN_READABLE, seen];
  }),
  stops('the cursor leads to other markets', 'The list ends after the first page.', async (visit) => {
    const { markets, cursor } = await visit.firstPage();
    if (cursor === undefined) return [markets.length < 100, 'there is one page'];
    const first = new Set(markets.map(({ conditionId }) => conditionId));
    const second = await visit.page(`${FIRST_PAGE}&after_cursor=${encodeURIComponent(cursor)}`);
    const others = second.markets.filter(({ conditionId }) => !first.has(conditionId)).length;
    return [others > 0, `${others} of ${second.markets.length} markets are new`];
  }),
  worsens('Gamma sorts by volume', 'The list misses markets of high volume.', async (visit) => {
    const volumes = (await visit.firstPage()).markets.map(volumeOf);
    const wrong = volumes.filter((volume, n) => volume > (volumes[n - 1] ?? volume)).length;
    return [wrong <= volumes.length / 20, `${wrong} of ${volumes.length} markets out of order`];
  }),
  worsens('Gamma filters by volume', 'A run takes longer to read the catalogue.', async (visit) => {
    const { markets } = await visit.firstPage();
    const bound = Math.floor(volumeOf(markets[Math.floor(markets.length / 2)]));
    const page = await visit.page(FIRST_PAGE.replace('ascending=false', `ascending=true&volume_num_min=${bound}`));
    const below = page.markets.filter((market) => volumeOf(market) < bound).length;
    return [below === 0, `${below} of ${page.markets.length} markets are below ${bound} USD`];
  }),
  worsens('markets have tags', 'Categories follow from the words of the question alone.', async (visit) => {
    const markets = await visit.markets();
    const tagged = markets.filter(({ tags }) => tags.length > 0).length;
    return [tagged > markets.length / 2, `${tagged} of ${markets.length} markets`];
  }),
];

const PRICE_FACTS = [
  stops('CLOB returns midpoints', 'Prices can be five minutes old; changes disappear.', async (visit) => {
    const tokens = (await visit.markets()).map(({ clobTokenId }) => clobTokenId);
    const sent = tokens.map((token) => ({ token_id: token }));
    const { status, body } = await visit.call('clob', '/midpoints', sent);
    const found = tokens.filter((token) => json.asPrice(body?.[token]) !== undefined).length;
    return [found > tokens.length / 2, `status ${status}, ${found} of ${tokens.length} tokens`];
  }),
  worsens('CLOB returns order books', 'The order book endpoints return 502.', async (visit) => {
    const token = await visit.token();
    const { status, body } = await visit.call('clob', `/book?token_id=${token}`);
    const [bids, asks] = [json.asList(body?.bids)?.length, json.asList(body?.asks)?.length];
    const holds = body?.asset_id === token && bids !== undefined && asks !== undefined;
    return [holds, `status ${status}, ${bids} bids, ${asks} asks`];
  }),
  worsens('CLOB returns 404 for an unknown token', 'An unknown token gets 502, not 404.', async (visit) => {
    const { status } = await visit.call('clob', '/book?token_id=1');
    return [status === 404, `status ${status}`];
  }),
  worsens('CLOB returns a history', 'Price histories come from the Data API.', async (visit) => {
    const path = `/prices-history?market=${await visit.token()}&interval=1w&fidelity=60`;
    const { status, body } = await visit.call('clob', path);
    return history(status, body?.history, 'p');
  }),
  worsens('CLOB returns many histories', 'Changes appear later after a first start.', async (visit) => {
    // Of different events, since all markets of an event can be on a protocol that this route does not know.
    const markets = (await visit.markets()).filter((_, n) => n % 5 === 0).slice(0, HISTORY_BATCH_TOKENS);
    const now = Math.floor(Date.now() / 1_000);
    const { status, body } = await visit.call('clob', '/batch-prices-history', {
      markets: markets.map(({ clobTokenId }) => clobTokenId),
      start_ts: now - 2 * DAY_SECONDS,
      end_ts: now - DAY_SECONDS,
      fidelity: 60,
    });
    const histories = json.asObject(body?.history);
    const found = markets.filter(({ clobTokenId }) => json.asList(histories?.[clobTokenId])?.length).length;
    return [found > 0, `status ${status}, ${found} of ${markets.length} tokens`];
  }),
  worsens('the Data API returns a history', 'If CLOB fails, there are no histories.', async (visit) => {
    const path = `/v2/prices-history?token_id=${await visit.token()}&interval=1w&bucket_seconds=3600`;
    const { status, body } = await visit.call('data', path);
    return history(status, body?.data, 'price');
  }),
];

function history(status: number, points: unknown, price: 'p' | 'price'): Finding {
  const list = json.asList(points) ?? [];
  const readable = list.filter((point) => json.asPrice(json.asObject(point)?.[price]) !== undefined).length;
  return [list.length > 0 && readable === list.length, `status ${status}, ${list.length} points`];
}

/** Checks all facts, one after the other. Never throws: an upstream that does not respond is a finding. */
export async function examine(urls: Urls): Promise<readonly Examined[]> {
  const visit = new Visit(urls);
  const examined: Examined[] = [];
  for (const { look, ...fact } of [...GAMMA_FACTS, ...PRICE_FACTS]) {
    const [holds, seen] = await look(visit).catch((error): Finding => [false, messageOf(error)]);
    examined.push({ ...fact, holds, seen });
  }
  return examined;
}

/** The exit status of the program, see USAGE. */
export function exitStatus(facts: readonly Examined[]): 0 | 1 | 2 {
  const broken = facts.filter(({ holds }) => !holds);
  return broken.some(({ stops: isNeeded }) => isNeeded) ? 2 : broken.length > 0 ? 1 : 0;
}

function report(facts: readonly Examined[]): string {
  const lines = facts.map(({ fact, holds, stops: isNeeded, seen, otherwise }) =>
    holds ? `ok     ${fact} (${seen})` : `${isNeeded ? 'STOPS ' : 'WORSE '} ${fact}: NO (${seen}). ${otherwise}`,
  );
  const verdicts = ['The service can run.', 'The service can run; a part of it is worse.', 'It cannot run.'];
  // An upstream could send control characters.
  return [...lines, '', verdicts[exitStatus(facts)]].join('\n').replace(/[^\P{Cc}\n]+/gu, ' ');
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** @throws Error with a sentence for the person */
function readUrls(args: readonly string[]): Urls {
  const url = { type: 'string' } as const;
  const options = { 'gamma-url': url, 'clob-url': url, 'data-url': url };
  const { values } = parseArgs({ args: [...args], options });
  return perUpstream((name) => {
    const address = values[`${name}-url`] ?? UPSTREAMS[name].url;
    if (URL.canParse(address) && /^https?:/.test(address)) return address.replace(/\/$/, '');
    throw new Error(`--${name}-url must be an http or https address.`);
  });
}

if (import.meta.main) {
  try {
    const facts = await examine(readUrls(process.argv.slice(2)));
    console.log(report(facts));
    process.exitCode = exitStatus(facts);
  } catch (error) {
    console.error(`${messageOf(error)}\n\n${USAGE}`);
    process.exitCode = 2;
  }
}
