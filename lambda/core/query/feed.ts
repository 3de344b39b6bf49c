import type { Market } from '../domain/market.ts';
import { MINUTE_MS } from '../domain/time.ts';
import type { MarketSnapshot, ResponseContent } from './market-snapshot.ts';
import { escaped } from './text-formats.ts';

const WINDOWS = {
  hour: { field: 'oneHourPriceChange', words: 'in an hour' },
  day: { field: 'oneDayPriceChange', words: 'in a day' },
} as const;
type FeedWindow = keyof typeof WINDOWS;

/** Percentage points. The first band makes an entry. */
const BAND = 5;
const MAX_BAND = 95;
const MAX_ENTRIES = 50;
/** Equal entries are equal bytes for this time. */
const UPDATE_INTERVAL_MS = 10 * MINUTE_MS;

interface FeedRequest {
  readonly origin?: string | undefined;
  readonly path: string;
  /** As sent. */
  readonly sent: Readonly<Record<string, string>>;
  readonly parameters: { readonly sort?: string | undefined; readonly minMove1h?: unknown };
}

/**
 * An Atom feed (RFC 4287) of the first markets that moved by at least 5 percentage points. Entries contain the band of
 * a change, never the change itself, so that a reader reports a market once per band and day.
 *
 * @param positions in list order @param subject what the markets have in common; undefined for the list
 */
export function feedContent(
  { origin = '', path, sent, parameters }: FeedRequest,
  snapshot: MarketSnapshot,
  positions: readonly number[],
  subject: string | undefined,
): ResponseContent {
  const window = windowOf(parameters);
  const { field, words } = WINDOWS[window];
  const updated = Math.floor(snapshot.info.asOf / UPDATE_INTERVAL_MS) * UPDATE_INTERVAL_MS;
  const time = new Date(updated).toISOString();
  const address = `${origin}${path}?${new URLSearchParams(sent)}`;
  const moved = positions
    .map((position) => snapshot.market(position))
    .filter((market) => Math.abs(market[field] ?? 0) >= BAND)
    .slice(0, MAX_ENTRIES)
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  const about = subject === undefined ? '' : `: ${subject}`;
  const body = [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    element('id', address),
    element('title', `Markets that moved by ${BAND} points or more ${words}${about}`),
    element('updated', time),
    '<author><name>Market Data Proxy</name></author>',
    `<link rel="self" type="application/atom+xml" href="${escaped(address)}"/>`,
    ...moved.map((market) => entry(market, window, time)),
    '</feed>\n',
  ].join('\n');
  return { body, updated, headers: { 'Content-Type': 'application/atom+xml; charset=utf-8' } };
}

function windowOf({ sort = '', minMove1h }: FeedRequest['parameters']): FeedWindow {
  return minMove1h !== undefined || /^(move|change)1h$/.test(sort) ? 'hour' : 'day';
}

function entry(market: Market, window: FeedWindow, time: string): string {
  const { id, question, outcome, url } = market;
  const { field, words } = WINDOWS[window];
  const change = market[field] ?? 0;
  const day = time.slice(0, 10);
  const direction = change > 0 ? 'up' : 'down';
  const band = Math.min(MAX_BAND, Math.floor(Math.abs(change) / BAND) * BAND);
  const move = `${direction} ${band} to ${band + BAND} points ${words}`;
  const title = `${question}${outcome === undefined ? '' : ` ${outcome}:`} ${capitalized(move)}`;
  return [
    '<entry>',
    element('id', `urn:market-data-proxy:${id}:${window}:${day}:${direction}:${band}`),
    element('title', title),
    element('updated', time),
    ...(url === undefined ? [] : [`<link rel="alternate" href="${escaped(url)}"/>`]),
    element('content', `The probability of ${outcome ?? 'Yes'} moved ${move}. Day: ${day} (UTC).`),
    '</entry>',
  ].join('\n');
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function element(name: string, text: string): string {
  return `<${name}>${escaped(text)}</${name}>`;
}
