import type { IncomingMessage } from 'node:http';
import { FAULT_KINDS } from './faults/kinds.ts';
import { OptionError, OptionReader } from './faults/reader.ts';
import type { FaultSpec, FaultState, Faults } from './faults/registry.ts';
import { parseJson, readBody } from './http/exchange.ts';
import type { LoggedRequest, RequestLog, RouteCount } from './http/request-log.ts';
import { json, type SimulatedResponse } from './http/response.ts';
import { MARKETS_MOST } from './options.ts';
import { LATENCIES, type Latency, type State } from './state.ts';

/** What `GET /_control` shows. */
export interface UpstreamState {
  readonly serving: string;
  /** Markets in the catalogue now. */
  readonly markets: number;
  readonly latency: Latency;
  readonly rateLimits: boolean;
  readonly faults: readonly FaultState[];
  readonly routes: Readonly<Record<string, RouteCount>>;
  readonly requests: readonly LoggedRequest[];
}

export interface DatasetChange {
  /** Keeps this share of the markets in the catalogue, 0 to 1; their tokens stay known to CLOB. */
  readonly share?: number;
  /** Makes the generated dataset this large. */
  readonly markets?: number;
  /** Puts this share of the generated markets on Protocol V2, 0 to 1. */
  readonly v2Share?: number;
}

/** What a person or a test can do to a running simulated upstream. */
export class Control {
  readonly #state: State;
  readonly #faults: Faults;
  readonly #log: RequestLog;

  constructor(state: State, faults: Faults, log: RequestLog) {
    this.#state = state;
    this.#faults = faults;
    this.#log = log;
  }

  state(): UpstreamState {
    return {
      serving: this.#state.source.description,
      markets: this.#state.catalogue.size,
      latency: this.#state.latency,
      rateLimits: this.#state.rateLimits,
      faults: this.#faults.list(),
      routes: this.#log.routes(),
      requests: this.#log.last(),
    };
  }

  /** Sets a fault and returns its id. @throws OptionError */
  addFault(spec: FaultSpec): string {
    return this.#faults.add(spec);
  }

  /** Removes one fault, or all; false if there was none of that id. */
  clearFaults(id?: string): boolean {
    return this.#faults.clear(id);
  }

  /** @throws OptionError */
  changeDataset(change: DatasetChange): void {
    const options = new OptionReader(change);
    const share = options.share('share');
    const markets = options.whole('markets', 1, MARKETS_MOST);
    const v2Share = options.share('v2Share');
    options.finish();
    const { source, catalogue, events } = this.#state;
    if (markets !== undefined) {
      if (source.resize === undefined) throw fixed('markets');
      source.resize(markets);
    }
    if (v2Share !== undefined) {
      if (source.setV2Share === undefined) throw fixed('v2Share');
      source.setV2Share(v2Share);
    }
    if (share !== undefined) catalogue.keepShare(share);
    catalogue.changed();
    events.changed();
  }

  /** @throws OptionError */
  setLatency(latency: Latency): void {
    const known = LATENCIES.find((one) => one === latency);
    if (known === undefined) throw new OptionError(`"latency" must be one of ${LATENCIES.join(', ')}.`);
    this.#state.latency = known;
  }

  setRateLimits(enabled: boolean): void {
    this.#state.rateLimits = enabled;
  }

  /** Responds to a request under `/_control`; what it says is for people and tests, not upstream's. */
  async respond(request: IncomingMessage, path: string): Promise<SimulatedResponse> {
    try {
      const text = await readBody(request);
      return this.#act(`${request.method} ${path}`, text === '' ? {} : parseJson(text));
    } catch (error) {
      if (error instanceof OptionError) return json(400, { error: error.message });
      throw error;
    }
  }

  #act(call: string, body: unknown): SimulatedResponse {
    const id = /^DELETE \/_control\/faults\/([\w-]+)$/.exec(call)?.[1];
    if (id !== undefined) {
      return this.clearFaults(id)
        ? json(200, { cleared: id })
        : json(404, { error: `There is no fault "${id}".` });
    }
    switch (call) {
      case 'GET /_control':
        return json(200, this.state());
      case 'GET /_control/faults':
        return json(200, { faults: this.#faults.list(), kinds: kindSummaries() });
      case 'POST /_control/faults':
        return json(201, { id: this.#faults.add(body) });
      case 'DELETE /_control/faults':
        this.clearFaults();
        return json(200, { cleared: 'all' });
      case 'POST /_control/dataset':
        this.changeDataset(body as DatasetChange);
        return json(200, { markets: this.#state.catalogue.size });
      case 'POST /_control/latency': {
        const options = new OptionReader(body);
        const latency = options.choice('latency', LATENCIES);
        options.finish();
        if (latency === undefined) throw new OptionError(`"latency" is missing: ${LATENCIES.join(' or ')}.`);
        this.setLatency(latency);
        return json(200, { latency });
      }
      case 'POST /_control/rate-limits': {
        const options = new OptionReader(body);
        const enabled = options.flag('enabled');
        options.finish();
        if (enabled === undefined) throw new OptionError('"enabled" is missing: true or false.');
        this.setRateLimits(enabled);
        return json(200, { enabled });
      }
      default:
        return json(404, { error: `There is no ${call}; see GET /_control.` });
    }
  }
}

function kindSummaries(): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(FAULT_KINDS).map(([name, kind]) => [name, kind.summary]));
}

function fixed(name: string): OptionError {
  return new OptionError(`"${name}" is fixed while recordings are served; "share" works.`);
}
