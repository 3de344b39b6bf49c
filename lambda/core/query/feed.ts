import type { Market } from '../domain/market.ts';
import { MINUTE_MS, type UnixMs } from '../domain/time.ts';

const WINDOWS = {
  hour: { field: 'oneHourPriceChange', words: 'in an hour' },
  day: { field: 'oneDayPriceChange', words: 'in a day' },
} as const;
export type FeedWindow = keyof typeof WINDOWS;

/** Percentage points. The first band makes an entry. */
const BAND = 5;
const MAX_BAND = 95;
const MAX_ENTRIES = 50;
/** Equal entries are equal bytes for this time. */
const UPDATE_INTERVAL_MS = 10 * MINUTE_MS;

export interface Feed {
  /** What the markets have in common; undefined for the list. */
  readonly subject: string | undefined;
  readonly window: FeedWindow;
  readonly address: string;
  readonly updated: UnixMs;
}

/** @param parameters of the request for the feed */
export function feedWindow(parameters: {
  readonly sort?: string | undefined;
  readonly minMove1h?: unknown;
}): FeedWindow {
  const isHour = parameters.minMove1h !== undefined || /^(move|change)1h$/.test(parameters.sort ?? '');
  return isHour ? 'hour' : 'day';
}

/** The time of its prices, rounded down. */
export function feedTime(asOf: UnixMs): UnixMs {
  return Math.floor(asOf / UPDATE_INTERVAL_MS) * UPDATE_INTERVAL_MS;
}

/**
 * An Atom feed (RFC 4287) of the first markets that moved by at least 5 percentage points. Entries contain the band of
 * a change, never the change itself, so that a reader reports a market once per band and day.
 *
 * @param markets in list order
 */
export function atomFeed(feed: Feed, markets: readonly Market[]): string {
  const { field, words } = WINDOWS[feed.window];
  const moved = markets
    .filter((market) => Math.abs(market[field] ?? 0) >= BAND)
    .slice(0, MAX_ENTRIES)
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  const about = feed.subject === undefined ? '' : `: ${feed.subject}`;
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    element('id', feed.address),
    element('title', `Markets that moved by ${BAND} points or more ${words}${about}`),
    element('updated', new Date(feed.updated).toISOString()),
    '<author><name>Market Data Proxy</name></author>',
    `<link rel="self" type="application/atom+xml" href="${escaped(feed.address)}"/>`,
    ...moved.map((market) => entry(market, market[field] ?? 0, feed)),
    '</feed>\n',
  ].join('\n');
}

function entry({ id, question, outcome, url }: Market, change: number, { window, updated }: Feed): string {
  const time = new Date(updated).toISOString();
  const day = time.slice(0, 10);
  const direction = change > 0 ? 'up' : 'down';
  const band = Math.min(MAX_BAND, Math.floor(Math.abs(change) / BAND) * BAND);
  const move = `${direction} ${band} to ${band + BAND} points ${WINDOWS[window].words}`;
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

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
/** XML 1.0 cannot write these characters. */
const NOT_IN_XML = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

/** For an element or attribute. */
function escaped(text: string): string {
  return text.replace(NOT_IN_XML, '\ufffd').replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '');
}
