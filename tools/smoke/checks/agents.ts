import { ROUTES } from '../../../lambda/contract/routes.ts';
import { checks } from '../check.ts';
import { ensure } from '../check-failure.ts';
import type { Deployment } from '../deployment.ts';

interface Called {
  readonly isError?: boolean;
  readonly structuredContent?: {
    readonly ageSeconds: number;
    readonly markets: readonly { readonly question: string }[];
  };
}

/** What agents see. */
export const AGENT_CHECKS = checks([
  {
    name: 'agents: a tool gives markets and their age',
    run: async (deployment) => {
      const call = { name: 'list_markets', arguments: { limit: 1 } };
      const { isError, structuredContent } = await ask<Called>(deployment, 'tools/call', call);
      const [market] = structuredContent?.markets ?? [];
      ensure(isError !== true && market !== undefined, 'the tool gives no market');
      return `"${market?.question}", ${structuredContent?.ageSeconds} s old`;
    },
  },
]);

/** One request of the protocol, as after a handshake. */
async function ask<T>(deployment: Deployment, method: string, params: object = {}): Promise<T> {
  const response = await deployment.client.call(ROUTES.mcp.path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const { result } = deployment.documented<{ readonly result?: T }>('mcp', response);
  ensure(result !== undefined, `an error instead of a result: ${response.text.slice(0, 200)}`);
  return result;
}
