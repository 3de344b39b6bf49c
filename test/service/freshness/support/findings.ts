import { FRESH_SECONDS, PUBLISH_GRACE_SECONDS } from '../../../../lambda/contract/constants.ts';
import { defaultFields } from '../../../../lambda/domain/market-list.ts';
import type { MemoryStore } from './memory-store.ts';
import { PAGE_MARKETS, type Reading, snapshotOf } from './reader.ts';

/** Age in seconds after which nothing may be served with 200. */
export const LIMIT_SECONDS = FRESH_SECONDS + PUBLISH_GRACE_SECONDS;
/** `ageSeconds` of the status is rounded to a tenth. */
const STATUS_ROUNDING = 0.051;

/** Everything that is not as promised in one reading; empty when all is well. */
export function findings(reading: Reading, store: MemoryStore): string[] {
  return [...findingsOfList(reading, store), ...findingsOfStatus(reading)];
}

function findingsOfList({ list, offset, ageMs }: Reading, store: MemoryStore): string[] {
  if (list.status === 502) {
    return /"code":"snapshot_(stale|missing)"/.test(list.body) ? [] : [`502 with ${list.body}`];
  }
  if (list.status !== 200) return [`${list.status} with ${list.body}`];
  const published = store.truth.get(snapshotOf(list) ?? '');
  if (published === undefined || ageMs === undefined) return ['200 with a snapshot that no run has made'];
  const page = published.entries
    .slice(offset, offset + PAGE_MARKETS)
    .map(({ market, facets }, n) => JSON.stringify(defaultFields({ ...market, ...facets }, offset + n)));
  const total = String(published.entries.length);
  const kept = Number(/max-age=(\d+)/.exec(list.headers['Cache-Control'] ?? '')?.[1]);
  return [
    ...(list.body === `[${page.join(',\n')}]` ? [] : ['200 with markets that are not the published ones']),
    ...(list.headers['X-Total-Count'] === total ? [] : [`200 with a total other than ${total}`]),
    ...(ageMs <= LIMIT_SECONDS * 1_000 ? [] : [`200 with data of ${ageMs} ms`]),
    ...(list.headers['Last-Modified'] === new Date(published.asOf).toUTCString()
      ? []
      : [
          `Last-Modified ${list.headers['Last-Modified']} of data of ${new Date(published.asOf).toISOString()}`,
        ]),
    ...(kept === 0 || ageMs + kept * 1_000 <= FRESH_SECONDS * 1_000
      ? []
      : [`max-age ${kept} for data of ${ageMs} ms`]),
  ];
}

/** Whether the status tells the same truth as the list. */
function findingsOfStatus({ askedAt, respondedAt, list, status, statusAt, movedAt }: Reading): string[] {
  if (status === undefined) return [];
  const { asOf, ageSeconds } = status;
  const says = `status ${status.status} with ${ageSeconds} s`;
  if (asOf === null || ageSeconds === null) return status.status === 'empty' ? [] : [says];
  const age = (statusAt - Date.parse(asOf)) / 1_000;
  const found = [];
  if (Math.abs(age - ageSeconds) > STATUS_ROUNDING) found.push(`${says} at an age of ${age} s`);
  // The limit or the pointer's move may have come between the two responses.
  const between = Math.max(statusAt, respondedAt) - askedAt;
  const onTheEdge = Math.abs(age - LIMIT_SECONDS) <= between / 1_000;
  const moved = movedAt >= askedAt;
  if (!onTheEdge && status.status !== (age > LIMIT_SECONDS ? 'stale' : 'ok')) found.push(says);
  const agrees = (status.status === 'ok') === (list.status === 200);
  if (!agrees && !moved && !onTheEdge) found.push(`${says} beside a ${list.status} of the list`);
  return found;
}
