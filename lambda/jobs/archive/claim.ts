/**
 * Keeps two jobs from writing the archive at once: each job first creates a claim, a file such as
 * `claims/000042.json`, and renews it until it ends.
 */
import { MINUTE_MS, SECOND_MS, type UnixMs } from '../../core/domain/time.ts';
import { type ArchiveStore, encodeJson, readJson } from '../../io/archive/archive-store.ts';
import type { Clock } from '../../io/platform/clock.ts';

const FOLDER = 'claims/';
/** A claim expires after this time. If the job has not renewed it by then, the job is dead. */
const CLAIM_MS = MINUTE_MS;
/** Three renewals can fail before the claim expires. */
const RENEWAL_MS = 15 * SECOND_MS;

interface StoredClaim {
  /** RFC 3339. The time of release, once the job has ended. */
  readonly until: string;
}

/** Another job writes the archive, so this one must not. */
export class ClaimedError extends Error {
  override readonly name = 'ClaimedError';
}

/**
 * The right to write the archive. The job with the highest number has it. Only one job can create
 * the next number, and only after the claim before it has expired.
 */
export class Claim {
  readonly #store: ArchiveStore;
  readonly #clock: Clock;
  readonly #path: string;
  #cancelRenewal: () => void = () => undefined;
  #renewal = Promise.resolve();

  private constructor(store: ArchiveStore, clock: Clock, path: string) {
    this.#store = store;
    this.#clock = clock;
    this.#path = path;
  }

  /** Takes the claim and renews it until `release`. @throws ClaimedError if another job has it */
  static async take(store: ArchiveStore, clock: Clock): Promise<Claim> {
    const newest = await newestPath(store);
    const other = newest && (await readJson<StoredClaim>(store, newest));
    if (other && Date.parse(other.until) > clock.now())
      throw claimed(`Its claim ends at ${other.until} unless the job renews it.`);
    const number = Number(newest?.slice(FOLDER.length, -'.json'.length) ?? 0) + 1;
    const path = `${FOLDER}${String(number).padStart(6, '0')}.json`;
    const isTaken = await store.create(path, encodeJson(claimUntil(clock.now() + CLAIM_MS)));
    if (!isTaken) throw claimed('It began at the same time.');
    const claim = new Claim(store, clock, path);
    claim.#renewLater();
    return claim;
  }

  /**
   * Checks that this job still has the claim.
   *
   * @throws ClaimedError if another job took over while this process was stopped
   */
  async check(): Promise<void> {
    if ((await newestPath(this.#store)) !== this.#path)
      throw claimed('It took over from this one.');
  }

  /** Ends the claim now, so that the next job need not wait until it expires. */
  async release(): Promise<void> {
    this.#cancelRenewal();
    await this.#renewal;
    await this.#write(this.#clock.now());
  }

  #renewLater(): void {
    this.#cancelRenewal = this.#clock.after(RENEWAL_MS, () => {
      this.#renewLater();
      // If the renewal fails, the claim expires, and `check` finds the new job.
      this.#renewal = this.#write(this.#clock.now() + CLAIM_MS).catch(() => undefined);
    });
  }

  async #write(until: UnixMs): Promise<void> {
    await this.#store.write(this.#path, encodeJson(claimUntil(until)));
  }
}

/** The claim with the highest number; undefined before the first. */
async function newestPath(store: ArchiveStore): Promise<string | undefined> {
  return (await store.list(FOLDER)).findLast((path) => path.endsWith('.json'));
}

function claimUntil(until: UnixMs): StoredClaim {
  return { until: new Date(until).toISOString() };
}

function claimed(reason: string): ClaimedError {
  return new ClaimedError(`Another job writes the archive. ${reason}`);
}
