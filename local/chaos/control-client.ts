import type { DatasetChange, FaultSpec } from 'polymarket-simulator';

/** What the scenarios ask of the simulated upstream. */
export interface ChaosControl {
  setFault(fault: FaultSpec): Promise<void>;
  changeDataset(change: DatasetChange): Promise<void>;
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
    changeDataset: (change) => call('POST', '/dataset', change),
    clearFaults: () => call('DELETE', '/faults'),
  };
}
