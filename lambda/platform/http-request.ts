import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';

export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly signal: AbortSignal;
  readonly agents: HttpAgents;
}

export interface ReceivedResponse {
  readonly status: number;
  readonly message: IncomingMessage;
  /** The bytes as they come; ends with an error when the connection does or the signal aborts. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** Connections that are kept from one request to the next. */
export class HttpAgents {
  readonly http = new HttpAgent({ keepAlive: true });
  readonly https = new HttpsAgent({ keepAlive: true });

  /** Closes all connections; requests under way fail. */
  destroy(): void {
    this.http.destroy();
    this.https.destroy();
  }
}

/**
 * A request by Node's own HTTP client rather than by its `fetch`, which takes 50 ms of CPU to load in a cold start
 * and half as long again for each small response.
 *
 * @throws the error of the connection, or an AbortError with the signal's reason
 */
export function httpRequest(url: URL, options: HttpRequest): Promise<ReceivedResponse> {
  const { method, headers, body, signal, agents } = options;
  return new Promise((resolve, reject) => {
    const secure = url.protocol === 'https:';
    const request = secure ? requestHttps : requestHttp;
    const outgoing = request(url, { method, headers, signal, agent: secure ? agents.https : agents.http });
    outgoing.once('error', reject);
    outgoing.once('response', (message) =>
      resolve({ status: message.statusCode ?? 0, message, body: message }),
    );
    // Without an error where upstream switches to another protocol: Node then closes the connection and says no more.
    outgoing.once('close', () => reject(new Error('The connection ended without a response')));
    outgoing.end(body);
  });
}
