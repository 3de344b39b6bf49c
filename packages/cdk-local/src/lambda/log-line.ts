/** One line of a function's log. */
export type LogLine =
  | { readonly kind: 'metric'; readonly data: Readonly<Record<string, unknown>> }
  | {
      readonly kind: 'log';
      readonly level: string;
      readonly message: string;
      /** The other keys of a JSON line, without those that every line has. */
      readonly keys: Readonly<Record<string, unknown>>;
      readonly raw: string;
    };

/** Keys that functions put into every line, with our own log or that of Powertools. */
const STANDARD_KEYS = new Set([
  'level',
  'message',
  'service',
  'timestamp',
  'sampling_rate',
  'xray_trace_id',
  'cold_start',
  'function_arn',
  'function_memory_size',
  'function_name',
  'function_request_id',
  'correlation_id',
]);

/** Reads a JSON line of the Logger, a metric in CloudWatch's embedded format, or plain text. */
export function parseLogLine(raw: string): LogLine {
  const plain: LogLine = { kind: 'log', level: 'INFO', message: raw, keys: {}, raw };
  if (!raw.startsWith('{')) return plain;
  try {
    const data: Record<string, unknown> = JSON.parse(raw);
    if ('_aws' in data) return { kind: 'metric', data };
    const keys = Object.entries(data).filter(([key]) => !STANDARD_KEYS.has(key));
    return {
      kind: 'log',
      level: typeof data.level === 'string' ? data.level.toUpperCase() : 'INFO',
      message: typeof data.message === 'string' ? data.message : raw,
      keys: Object.fromEntries(keys),
      raw,
    };
  } catch {
    return plain;
  }
}
