import type { FaultSpec, UniverseChange } from 'polymarket-simulator';

/** What the play asks of the simulated upstream. */
export interface ChaosControl {
  setFault(fault: FaultSpec): Promise<void>;
  setUniverse(change: UniverseChange): Promise<void>;
  clearFaults(): Promise<void>;
}

/** The simulator runs on a thread of its own: it is told over its control API, as a person would. */
export function controlClient(upstreamUrl: string, fetch = globalThis.fetch): ChaosControl {
  const call = async (method: string, path: string, body?: unknown): Promise<void> => {
    const response = await fetch(`${upstreamUrl}/_control${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`The simulated upstream refused ${method} ${path}: ${text}`);
  };
  return {
    setFault: (fault) => call('POST', '/faults', fault),
    setUniverse: (change) => call('POST', '/universe', change),
    clearFaults: () => call('DELETE', '/faults'),
  };
}
