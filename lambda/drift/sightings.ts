import type { CatalogueRecord } from '../domain/market.ts';
import { asList, asNumber, asObject, asText, type WireObject } from '../polymarket/json-values.ts';
import type { PageObserver } from '../polymarket/page-observer.ts';
import type { Observation, ShapeKind } from './observation.ts';

/** Versions that are no news. */
const KNOWN_VERSIONS: ReadonlySet<unknown> = new Set([undefined, null, 'v1', 'v2']);
/** Names from upstream that are kept: more are no names but data. */
const MOST_NAMES = 400;
const MOST_NAME_CHARACTERS = 60;
/** Pages come from caches of mixed age, so that a few neighbours stand the wrong way round. */
const DISORDER = 0.1;

interface Shape {
  objects: number;
  readonly keys: Map<string, Map<string, number>>;
}

/** Collects what a run sees of the upstreams, as it passes by. Nothing here ever throws, or changes what is read. */
export class Sightings implements PageObserver {
  #shapes = new Map<ShapeKind, Shape>();
  #skipped = new Map<string, number>();
  #versions = new Set<string>();
  #schemas = new Set<string>();
  #honoured = new Map<string, boolean>();
  #records = 0;
  #pageSize = 0;
  #token: string | undefined;
  #otherToken: string | undefined;

  /**
   * A token that surely has an order book: of the first market of v1 that the run has read, else of the first; undefined
   * when it read none. Books of V2 look otherwise, and which market comes first differs from run to run.
   */
  get token(): string | undefined {
    return this.#token ?? this.#otherToken;
  }

  sawPage(asked: URLSearchParams, envelope: WireObject, records: readonly CatalogueRecord[]): void {
    const markets = (asList(envelope.markets) ?? []).map((market) => asObject(market) ?? {});
    const schema = asText(envelope.$schema);
    if (schema !== undefined) this.#schemas.add(schema.slice(0, 200));
    if (asText(envelope.next_cursor) !== undefined) this.#pageSize = Math.max(this.#pageSize, markets.length);
    this.#records += records.length;
    for (const record of records) {
      if (record.kind === 'listable') {
        if (record.market.protocolVersion === 'v1') this.#token ??= record.market.yesTokenId;
        else this.#otherToken ??= record.market.yesTokenId;
      }
      if (record.kind === 'skipped')
        this.#skipped.set(record.reason, (this.#skipped.get(record.reason) ?? 0) + 1);
    }
    for (const market of markets) {
      this.#sawObject('market', market);
      const event = asObject(asList(market.events)?.[0]);
      if (event) this.#sawObject('event', event);
      if (!KNOWN_VERSIONS.has(market.version))
        this.#versions.add(String(market.version).slice(0, MOST_NAME_CHARACTERS));
    }
    this.#sawFilters(asked, markets);
  }

  sawBook(body: unknown): void {
    const book = asObject(body);
    if (book) this.#sawObject('book', book);
  }

  /** What was seen since the last time; undefined when there was nothing. */
  take(historyRoute?: string): Observation | undefined {
    const observation: Observation = {
      shapes: Object.fromEntries(
        [...this.#shapes].map(([kind, { objects, keys }]) => [
          kind,
          {
            objects,
            keys: Object.fromEntries([...keys].map(([key, types]) => [key, Object.fromEntries(types)])),
          },
        ]),
      ),
      records: this.#records,
      skipped: Object.fromEntries(this.#skipped),
      unknownVersions: [...this.#versions].sort(),
      schemas: [...this.#schemas].sort(),
      ...(this.#pageSize === 0 ? {} : { pageSize: this.#pageSize }),
      honoured: Object.fromEntries(this.#honoured),
      ...(historyRoute === undefined ? {} : { historyRoute }),
    };
    const nothing = this.#records === 0 && this.#shapes.size === 0 && historyRoute === undefined;
    this.#shapes = new Map();
    this.#skipped = new Map();
    this.#versions = new Set();
    this.#schemas = new Set();
    this.#honoured = new Map();
    this.#records = 0;
    this.#pageSize = 0;
    this.#token = undefined;
    this.#otherToken = undefined;
    return nothing ? undefined : observation;
  }

  #sawObject(kind: ShapeKind, object: WireObject): void {
    const shape = this.#shapes.get(kind) ?? { objects: 0, keys: new Map() };
    this.#shapes.set(kind, shape);
    shape.objects += 1;
    for (const [key, value] of Object.entries(object)) {
      if (value === null || value === undefined || key.length > MOST_NAME_CHARACTERS) continue;
      const types = shape.keys.get(key) ?? new Map<string, number>();
      if (shape.keys.size >= MOST_NAMES && !shape.keys.has(key)) continue;
      shape.keys.set(key, types);
      const type = Array.isArray(value) ? 'list' : typeof value;
      types.set(type, (types.get(type) ?? 0) + 1);
    }
  }

  #sawFilters(asked: URLSearchParams, markets: readonly WireObject[]): void {
    if (markets.length < 2) return;
    const volumes = markets.map(({ volumeNum }) => asNumber(volumeNum) ?? 0);
    if (asked.get('closed') === 'false')
      this.#saw('closed=false', !markets.some(({ closed }) => closed === true));
    if (asked.get('include_tag') === 'true') {
      // A page of markets without any tag is no proof; one tag in the whole run is.
      const tagged = markets.some(({ tags }) => (asList(tags)?.length ?? 0) > 0);
      this.#honoured.set('include_tag', tagged || this.#honoured.get('include_tag') === true);
    }
    if (asked.get('order') === 'volumeNum') {
      const direction = asked.get('ascending') === 'false' ? -1 : 1;
      const wrong = volumes.filter((volume, n) => n > 0 && (volume - (volumes[n - 1] ?? 0)) * direction < 0);
      this.#saw('order=volumeNum', wrong.length <= volumes.length * DISORDER);
    }
    const least = asNumber(asked.get('volume_num_min') ?? undefined);
    if (least !== undefined)
      this.#saw(
        'volume_num_min',
        volumes.every((volume) => volume >= least),
      );
  }

  /** One page on which it is not so is enough. */
  #saw(filter: string, honoured: boolean): void {
    this.#honoured.set(filter, honoured && this.#honoured.get(filter) !== false);
  }
}
