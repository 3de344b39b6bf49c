/** The control API of the simulated Polymarket, with which a developer injects faults. */
import type { IncomingMessage } from 'node:http';
import type { CallCounter } from './calls.ts';
import { FAULT_KINDS, type FaultSpec, type Faults, OptionError } from './faults.ts';
import { bodyOf } from './handler.ts';
import { json, type SimulatedResponse } from './route.ts';

/** The requests that the control API accepts. Its responses show this list. */
const HELP = {
  'GET /_control': 'the faults that are set, all kinds of faults, and the calls by route',
  'POST /_control/faults': '{"route":"prices","kind":"status","status":503,"times":3} sets a fault',
  'DELETE /_control/faults': 'removes all faults',
} as const;

/**
 * Responds to a request under `/_control`: shows, sets and removes faults, and shows how often each
 * route of the simulator was called. It serves only programs on this machine.
 */
export async function control(
  request: IncomingMessage,
  { faults, calls }: { readonly faults: Faults; readonly calls: CallCounter },
): Promise<SimulatedResponse> {
  const { origin, host = '' } = request.headers;
  // Rejects web pages, including those whose host name points to this machine.
  if (origin !== undefined || !/^(127\.0\.0\.1|localhost)(:\d+)?$/.test(host)) {
    return json(403, { error: 'The control API is for programs on this machine.' });
  }
  switch (`${request.method} ${request.url}`) {
    case 'GET /_control': {
      const state = { faults: faults.list(), kinds: FAULT_KINDS, calls: calls.byRoute() };
      return json(200, { help: HELP, ...state });
    }
    case 'DELETE /_control/faults':
      faults.clear();
      return json(200, {});
    case 'POST /_control/faults': {
      // `add` checks each value. An absent body becomes a fault without a route, which it rejects.
      const spec = { ...Object(await bodyOf(request)) } as FaultSpec;
      try {
        faults.add(spec);
        return json(201, spec);
      } catch (error) {
        if (error instanceof OptionError) return json(400, { error: error.message });
        throw error;
      }
    }
    default:
      return json(404, { error: 'This call does not exist.', help: HELP });
  }
}
