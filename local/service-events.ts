import type { ServedRequest } from 'cdk-local';

/** What a running service tells its listeners. */
export interface ServiceEvents {
  /** A metric in CloudWatch's embedded format that a function has written. */
  metric: [{ readonly functionId: string; readonly data: Readonly<Record<string, unknown>> }];
  /** A line of a function's log, or one about a function (an invocation that failed). */
  log: [LogEvent];
  request: [ServedRequest & { readonly via: 'front door' | 'api' }];
  refresh: [RefreshOutcome];
}

export interface LogEvent {
  readonly functionId: string;
  /** Whether it is the scheduled function. */
  readonly refresher: boolean;
  readonly level: string;
  readonly message: string;
  readonly keys: Readonly<Record<string, unknown>>;
  readonly raw: string;
}

/** One run of the scheduled function. */
export interface RefreshOutcome {
  readonly ok: boolean;
  readonly durationMs: number;
  /** Why it failed. */
  readonly error?: string;
  /** What the function returned. */
  readonly result?: unknown;
}
