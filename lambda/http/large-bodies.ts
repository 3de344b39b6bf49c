import {
  LARGE_BODIES_AT_ONCE_BYTES,
  LARGE_BODIES_BYTES_PER_SECOND,
  LARGE_BODY_BYTES,
} from '../contract/constants.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { Pace } from '../platform/pace.ts';

/** What gzip makes of a list of markets: 0.33 of the default page, less of others. */
const GZIPPED_SHARE = 0.35;
const MOST_BYTES_PER_UTF16_UNIT = 3;
const LOGGED_EVERY_MS = 10_000;

const REFUSAL =
  'Too many large responses are asked for at the moment, by all callers together: ask for fewer markets (limit), for fewer ' +
  'fields or with Accept-Encoding: gzip, or wait 60 seconds and try again.';

/**
 * A fuse of the bill (docs/adr/0010-cost-fuses.md): bytes to viewers cost more than all else, and the plan counts
 * requests only. A token bucket of one container, for the large bodies of anonymous callers; others never meet it.
 */
export class LargeBodies {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #logger: Pick<Log, 'warn'>;
  readonly #pace: Pace;
  #bytesLeft = LARGE_BODIES_AT_ONCE_BYTES;
  #filledAt: number;

  constructor(logger: Pick<Log, 'warn'>, clock: Pick<Clock, 'now'>) {
    this.#logger = logger;
    this.#clock = clock;
    this.#pace = new Pace(clock, LOGGED_EVERY_MS);
    this.#filledAt = clock.now();
  }

  /**
   * Takes the bytes of a body off what is left.
   *
   * @param acceptEncoding the request's header; its compressed size is estimated
   * @returns what to refuse the request with (`rate_limited`, 429) when too little is left
   */
  take(body: string, acceptEncoding: string | undefined, requestId: string): ServiceError | undefined {
    if (body.length * MOST_BYTES_PER_UTF16_UNIT <= LARGE_BODY_BYTES) return undefined;
    const bytes = Buffer.byteLength(body) * (isCompressed(acceptEncoding) ? GZIPPED_SHARE : 1);
    if (bytes <= LARGE_BODY_BYTES) return undefined;
    this.#fill();
    if (bytes <= this.#bytesLeft) {
      this.#bytesLeft -= bytes;
      return undefined;
    }
    const error = new ServiceError('rate_limited', REFUSAL);
    if (this.#pace.isDue(error.code)) {
      this.#logger.warn('Responded with an error', {
        requestId,
        code: error.code,
        cause: 'large bodies',
        bytes: Math.round(bytes),
      });
    }
    return error;
  }

  #fill(): void {
    const now = this.#clock.now();
    const more = (Math.max(0, now - this.#filledAt) / 1_000) * LARGE_BODIES_BYTES_PER_SECOND;
    this.#bytesLeft = Math.min(LARGE_BODIES_AT_ONCE_BYTES, this.#bytesLeft + more);
    this.#filledAt = now;
  }
}

/** CloudFront and API Gateway compress with either. */
function isCompressed(acceptEncoding = ''): boolean {
  return acceptEncoding
    .split(',')
    .some((coding) => /^\s*(?:gzip|br)\s*(?:;|$)/i.test(coding) && !/;\s*q=0(?:\.0*)?\s*$/i.test(coding));
}
