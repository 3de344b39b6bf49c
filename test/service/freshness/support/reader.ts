import type { FreshnessRule } from '../../../../lambda/domain/freshness.ts';
import { getStatus, type Status } from '../../../../lambda/endpoints/get-status.ts';
import { listMarkets } from '../../../../lambda/endpoints/list-markets.ts';
import { errorResponse, type HttpResponse } from '../../../../lambda/http/response.ts';
import type { Clock } from '../../../../lambda/platform/clock.ts';
import { type MarketTable, marketTable } from '../../../../lambda/query/market-table.ts';
import { LatestPointer } from '../../../../lambda/snapshots/latest-pointer.ts';
import { SnapshotCache } from '../../../../lambda/snapshots/snapshot-cache.ts';
import type { MemoryStore } from './memory-store.ts';

/** Markets on the pages that readers ask for. */
export const PAGE_MARKETS = 20;

/** What a reader was given, and when. Times in ms. */
export interface Reading {
  readonly askedAt: number;
  readonly respondedAt: number;
  readonly offset: number;
  readonly list: HttpResponse;
  /** Undefined where the status could not be read either. */
  readonly status: Status | undefined;
  readonly statusAt: number;
  /** Of the data in the list, by the snapshot that its tag names; undefined without data. */
  readonly ageMs?: number;
  /** When the pointer had last moved at the time of both responses. */
  readonly movedAt: number;
}

/** A container of the list and one of the status, and a caller who asks both at once: the endpoints as they are. */
export class Reader {
  readonly #clock: Clock;
  readonly #store: MemoryStore;
  readonly #cache: SnapshotCache<MarketTable>;
  readonly #list: ReturnType<typeof listMarkets>;
  readonly #status: ReturnType<typeof getStatus>;

  constructor(clock: Clock, store: MemoryStore, rule: FreshnessRule, refreshIntervalSeconds: number) {
    const source = store.source();
    const { now } = clock;
    this.#clock = clock;
    this.#store = store;
    this.#cache = new SnapshotCache({ source, clock, rule, view: marketTable });
    this.#list = listMarkets({ cache: this.#cache, rule, now, edgeCache: false });
    const pointer = new LatestPointer(source, clock, rule);
    this.#status = getStatus({
      pointer,
      rule,
      refreshIntervalSeconds,
      version: 'v0',
      simulated: true,
      upstream: async () => undefined,
      now,
    });
  }

  /** @param offset of the page that is asked for */
  async ask(offset: number): Promise<Reading> {
    const askedAt = this.#clock.now();
    const parameters = { limit: PAGE_MARKETS, offset, snapshot: undefined };
    const status = this.#status().then(
      ({ body }) => ({ status: JSON.parse(body) as Status, statusAt: this.#clock.now() }),
      () => ({ status: undefined, statusAt: this.#clock.now() }),
    );
    const list = await this.#list({ parameters, sent: {}, headers: {}, path: '/api/markets' }).catch(
      (error: unknown) => errorResponse(error, 'request'),
    );
    const respondedAt = this.#clock.now();
    const published = this.#store.truth.get(snapshotOf(list) ?? '');
    const age = published === undefined ? {} : { ageMs: respondedAt - published.asOf };
    const told = await status;
    const { movedAt } = this.#store; // once both have responded
    return { askedAt, respondedAt, offset, list, movedAt, ...told, ...age };
  }
}

/** The snapshot that the links name. */
export function snapshotOf({ headers }: HttpResponse): string | undefined {
  return /[?&]snapshot=([^&>]+)/.exec(headers.Link ?? '')?.[1];
}
