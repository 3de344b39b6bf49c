import { FRESH_SECONDS } from '../../core/contract/constants.ts';
import { SECOND_MS } from '../../core/domain/time.ts';

/**
 * The times of a run, in the order in which they matter. A run has 118 s in AWS: it ends before the next one of its kind
 * begins. Steps overlap, so the times do not add up.
 */
export const TIMELINE = {
  /** A full run reads its prices about 4 s after it began. This delay makes the times between two readings about equal. */
  priceRunDelayMs: 2 * SECOND_MS,
  /** Without the newest snapshot a run would not know which markets it must keep, so it fails after this time. */
  newestTimeoutMs: 10 * SECOND_MS,
  /** How long the table may delay a run. Without the table, the first run of a container has no changes. */
  firstLoadTimeoutMs: 5 * SECOND_MS,
  loadTimeoutMs: 2 * SECOND_MS,
  /** If there is no snapshot after this time, `/api/status` shows why. A first run normally takes less. */
  slowStartMs: 10 * SECOND_MS,

  /** After this time without prices, a price run reads the catalogue: the outage of CLOB may be long. */
  priceRunPatienceMs: 5 * SECOND_MS,
  /** After this time without its catalogue, a full run publishes new prices of the known markets. */
  lateCatalogueMs: 30 * SECOND_MS,
  /** A run does not wait longer for the markets that no page showed: it can keep them for a moment. */
  unseenTimeoutMs: 10 * SECOND_MS,

  /** A full run tries CLOB for at least this long. Without a snapshot, catalogue prices now are better than CLOB's later. */
  minPricesMs: 10 * SECOND_MS,
  /** Age of the newest snapshot up to which a full run waits for CLOB. Readers have data for 25 s more. */
  maxWaitAgeMs: (FRESH_SECONDS + 5) * SECOND_MS,
  /** All prices of a snapshot have one time, so a reading is short. A run tries this long to complete it. */
  readingMs: 10 * SECOND_MS,
  /** The pause after a reading with failed calls doubles between these bounds. */
  minPauseMs: 1 * SECOND_MS,
  maxPauseMs: 8 * SECOND_MS,
  /** The catalogue's last trades replace those of a slow route. */
  lastTradesMs: 3 * SECOND_MS,

  /** A publication waits this long for histories: fresh prices matter more than complete changes. */
  historyPatienceMs: 2 * SECOND_MS,
  /** The longest time of one history call. A run that has published ends after this time without a new history. */
  historyStalledMs: 20 * SECOND_MS,

  /** Each step ends this long before the run does, so that the steps after it have time. */
  catalogueBeforeDeadlineMs: 5 * SECOND_MS,
  historiesBeforeDeadlineMs: 4 * SECOND_MS,
  pricesBeforeDeadlineMs: 2.5 * SECOND_MS,
  /** A run leaves this time for its metrics, its log line and the record of its failure: two table calls. */
  closingMs: 2 * SECOND_MS,
  closingCallMs: 0.8 * SECOND_MS,
} as const;
