import { FRESH_SECONDS } from '../../core/contract/constants.ts';
import { SECOND_MS } from '../../core/domain/time.ts';

/**
 * The time limits of a run of the refresher, in its order. A full run reads the catalogue (which
 * markets exist) and CLOB's prices; a price run reads only prices. A run has 118 s in AWS, so that it
 * ends before the next run of its kind begins. Steps overlap, so the times do not add up.
 */
export const TIMEOUTS = {
  /**
   * A full run reads prices about 4 s after its start. This delay makes the readings about equally
   * distant.
   */
  priceRunDelayMs: 2 * SECOND_MS,
  /** A run must know which markets to keep, so it fails without the newest snapshot. */
  newestTimeoutMs: 10 * SECOND_MS,
  /**
   * For reading samples and backfill from the table. A container's first run has no changes without
   * them, so it waits longer.
   */
  firstLoadTimeoutMs: 5 * SECOND_MS,
  loadTimeoutMs: 2 * SECOND_MS,
  /** After this time without a snapshot, `/api/status` shows why. */
  slowStartMs: 10 * SECOND_MS,

  /** Without prices, a price run then reads the catalogue: CLOB's outage may be long. */
  priceRunPatienceMs: 5 * SECOND_MS,
  /** Without its catalogue, a full run then publishes new prices of the known markets. */
  lateCatalogueMs: 30 * SECOND_MS,
  /** For markets that no page showed: the run can keep them for a moment. */
  confirmTimeoutMs: 10 * SECOND_MS,

  /**
   * A full run tries CLOB at least this long. Without a snapshot, catalogue prices now are better
   * than CLOB's later.
   */
  minPricesMs: 10 * SECOND_MS,
  /**
   * Up to this age of the newest snapshot, a full run waits for CLOB. Readers have data for 25 s
   * more.
   */
  maxWaitAgeMs: (FRESH_SECONDS + 5) * SECOND_MS,
  /**
   * A reading is short, because all its prices have one time. A run tries this long to complete it.
   */
  readingMs: 10 * SECOND_MS,
  /** The pause after a reading with failed calls. It doubles between these bounds. */
  minPauseMs: 1 * SECOND_MS,
  maxPauseMs: 8 * SECOND_MS,
  /** For reading the sizes of a full run. A run that has published waits for calls under way. */
  sizesMs: 6 * SECOND_MS,
  /** A run reads last trades for this long. After it, the catalogue's last trades are used. */
  lastTradesMs: 3 * SECOND_MS,

  /** A publication waits this long: fresh prices matter more than complete changes. */
  historyPatienceMs: 2 * SECOND_MS,
  /**
   * The time of a history call. A run that has published ends after this time without a new
   * history.
   */
  historyStalledMs: 20 * SECOND_MS,

  /** Each step ends this long before the run, for the steps after it. */
  catalogueBeforeDeadlineMs: 5 * SECOND_MS,
  historiesBeforeDeadlineMs: 4 * SECOND_MS,
  pricesBeforeDeadlineMs: 2.5 * SECOND_MS,
  /** For the metrics, the log line and the failure's record: two table calls. */
  closingMs: 2 * SECOND_MS,
  closingCallMs: 0.8 * SECOND_MS,
} as const;
