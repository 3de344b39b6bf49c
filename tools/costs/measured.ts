import { readFileSync } from 'node:fs';
import type { RouteName } from '../../lambda/contract/routes.ts';

/** Shares of the requests that are assumed; the routes in it are measured. All else about a route is in its row. */
export const REQUEST_MIX = {
  'list-markets': 0.4,
  'search-markets': 0.3,
  'get-order-book': 0.15,
  'get-prices-history': 0.15,
} as const satisfies Partial<Record<RouteName, number>>;

export type MeasuredRoute = keyof typeof REQUEST_MIX;

export const MEASURED_ROUTES = Object.keys(REQUEST_MIX) as MeasuredRoute[];

/** What a request used, with the container warm and its snapshot in memory. */
export interface RequestUnits {
  /** Median time in the function, on the machine that measured. */
  readonly functionMs: number;
  /** Of the response to the viewer, gzipped. */
  readonly responseBytes: number;
  readonly writeUnits: number;
  /** Written by the function itself: metrics and log lines. */
  readonly logBytes: number;
}

/** What `npm run costs:measure` wrote down. */
export interface Measured {
  readonly date: string;
  readonly machine: string;
  readonly markets: number;
  readonly refresh: {
    /** With the latency of the real upstream, as the simulated one has it. */
    readonly runMs: number;
    readonly publishMs: number;
    readonly readUnits: number;
    readonly writeUnits: number;
    /** Of a run that writes a base, what comes on top. */
    readonly baseWriteUnits: number;
    readonly logBytes: number;
  };
  /** One load of a snapshot by one container, its look at the pointer included. */
  readonly load: {
    readonly readUnits: number;
    /** Of a base, by a container that does not have it. */
    readonly baseReadUnits: number;
  };
  readonly requests: Readonly<Record<MeasuredRoute, RequestUnits>>;
}

export const MEASURED_FILE = new URL('./measured.json', import.meta.url);

export function readMeasured(): Measured {
  return JSON.parse(readFileSync(MEASURED_FILE, 'utf8'));
}
