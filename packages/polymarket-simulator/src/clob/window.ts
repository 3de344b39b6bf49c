/** The window rules of the two history routes: which points are asked for, or upstream's own words of refusal. */

/** What a request says, whatever its spelling; values as they came. */
export interface WindowRequest {
  readonly interval: unknown;
  readonly fidelity: unknown;
  readonly start: unknown;
  readonly end: unknown;
}

/** Unix seconds, both inclusive; `fidelity` in minutes. */
export interface Window {
  readonly from: number;
  readonly to: number;
  readonly fidelity: number;
}

const DAY = 86_400;
/** The recorded `1m` response spans 31 days. */
const MONTH = 31 * DAY;
/** Seconds and least fidelity of each interval. `max` and `all` were measured to be 31 days as well, whatever the market's age. */
const INTERVALS: Readonly<Record<string, { readonly seconds: number; readonly floor: number }>> = {
  '1h': { seconds: 3_600, floor: 1 },
  '6h': { seconds: 6 * 3_600, floor: 1 },
  '1d': { seconds: DAY, floor: 1 },
  '1w': { seconds: 7 * DAY, floor: 5 },
  '1m': { seconds: MONTH, floor: 10 },
  max: { seconds: MONTH, floor: 1 },
  all: { seconds: MONTH, floor: 1 },
};
/** Longest explicit window (upstream.md). */
const WINDOW_CAP = 1_296_000;

/** The window of a request, or the `error` of the 400 it gets. Where both are given, the interval wins. */
export function readWindow(request: WindowRequest, now: number): Window | { readonly error: string } {
  const fidelity = given(request.fidelity) ? wholeNumber(request.fidelity) : 1;
  if (fidelity === undefined) return invalid("the 'fidelity' value is not valid");
  if (given(request.interval)) {
    const name = String(request.interval);
    const interval = Object.hasOwn(INTERVALS, name) ? INTERVALS[name] : undefined;
    if (interval === undefined) {
      return invalid("the 'interval' value is unknown. Known values: '1m', '1w', '1d', '6h', '1h'");
    }
    if (fidelity < interval.floor) return tooFine(name, interval.floor);
    return { from: now - interval.seconds, to: now, fidelity };
  }
  if (!given(request.start)) {
    return invalid(
      given(request.end)
        ? "'startTs' is mandatory with 'endTs'"
        : "either 'interval' or 'startTs' and 'endTs' is mandatory",
    );
  }
  const from = wholeNumber(request.start);
  // One observer saw a startTs alone reach back 300 days; holding it to the cap is the stricter teacher.
  const to = given(request.end) ? wholeNumber(request.end) : Math.max(now, from ?? 0);
  if (from === undefined || to === undefined || to < from)
    return invalid("'startTs' and 'endTs' are not valid");
  if (to - from > WINDOW_CAP) return invalid("'startTs' and 'endTs' interval is too long");
  if (fidelity < 1) return tooFine('startTs', 1);
  return { from, to, fidelity };
}

function given(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}

function wholeNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}

function tooFine(range: string, floor: number) {
  return invalid(`minimum 'fidelity' for '${range}' range is ${floor}`);
}

function invalid(reason: string): { readonly error: string } {
  return { error: `invalid filters: ${reason}` };
}
