import type { FunctionName } from '../contract/environment.ts';
import { sourceStack } from './source-positions.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Lines for people and for the saved queries: a fixed sentence, and what belongs to it under keys. */
export interface Log {
  info(message: string, fields?: Fields): void;
  warn(message: string, fields?: Fields): void;
  error(message: string, fields?: Fields): void;
}

/**
 * A log of one line of JSON each, written past the console, which would put words before it. An error among the fields
 * is told by its name, message, stack and causes. Powertools' Logger writes the same and makes a console first: 5 to
 * 10 ms of CPU of each cold start (docs/adr/0029-nothing-before-it-is-needed.md).
 */
export class JsonLog implements Log {
  readonly #service: FunctionName;

  constructor(service: FunctionName) {
    this.#service = service;
  }

  info(message: string, fields?: Fields): void {
    this.#write('INFO', message, fields);
  }

  warn(message: string, fields?: Fields): void {
    this.#write('WARN', message, fields);
  }

  error(message: string, fields?: Fields): void {
    this.#write('ERROR', message, fields);
  }

  #write(level: string, message: string, fields: Fields = {}): void {
    const line = {
      level,
      message,
      timestamp: new Date().toISOString(),
      service: this.#service,
      xray_trace_id: traceId(),
      ...Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, readable(value)])),
    };
    process.stdout.write(`${JSON.stringify(line)}\n`);
  }
}

/** Of the request under way; Lambda tells it as `Root=1-…;Parent=…;Sampled=1`. */
function traceId(): string | undefined {
  return /Root=([^;]+)/.exec(process.env._X_AMZN_TRACE_ID ?? '')?.[1];
}

function readable(value: unknown): unknown {
  if (!(value instanceof Error)) return value;
  const { name, message, stack, cause } = value;
  return {
    ...plainFields(value),
    name,
    message,
    stack: sourceStack(stack ?? ''),
    ...(cause === undefined ? {} : { cause: readable(cause) }),
  };
}

/** What errors of this service and of Node add: a code, a status. Objects are left out, since they may be circular. */
function plainFields(error: Error): Fields {
  return Object.fromEntries(Object.entries(error).filter(([, value]) => typeof value !== 'object'));
}
