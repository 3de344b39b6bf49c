import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { FunctionDefinition } from 'cdk-local';

const THROTTLED = JSON.stringify({
  __type: 'com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException',
  message: 'The level of configured provisioned throughput for the table was exceeded.',
});
const JSON_TYPE = { 'content-type': 'application/x-amz-json-1.0' };

/**
 * Stands between the functions and the embedded DynamoDB and lets each key have so many writes: a second of DynamoDB's
 * that lasts as long as the test, so that a slow machine meets the bound, too.
 */
export class KeyThrottle {
  readonly #server: Server;
  readonly #unitsPerKey: number;
  readonly #writes = new Map<string, number>();
  #database = '';
  throttled = 0;

  private constructor(unitsPerKey: number) {
    this.#unitsPerKey = unitsPerKey;
    this.#server = createServer((incoming, response) => {
      this.#respond(incoming).then(
        ({ status, body }) => response.writeHead(status, JSON_TYPE).end(body),
        () => response.destroy(),
      );
    });
  }

  static async start(unitsPerKey: number): Promise<KeyThrottle> {
    const throttle = new KeyThrottle(unitsPerKey);
    await new Promise<void>((resolve) => throttle.#server.listen(0, '127.0.0.1', resolve));
    return throttle;
  }

  /** For `ServiceOptions.adjust`. */
  readonly adjust = (definition: FunctionDefinition): FunctionDefinition => {
    const { environment } = definition;
    this.#database = environment.AWS_ENDPOINT_URL_DYNAMODB ?? '';
    const { port } = this.#server.address() as AddressInfo;
    return {
      ...definition,
      environment: { ...environment, AWS_ENDPOINT_URL_DYNAMODB: `http://127.0.0.1:${port}` },
    };
  };

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }

  async #respond(incoming: IncomingMessage): Promise<{ status: number; body: Buffer | string }> {
    const body = await buffer(incoming);
    if (String(incoming.headers['x-amz-target']).endsWith('.UpdateItem') && this.#isTooMany(body)) {
      this.throttled += 1;
      return { status: 400, body: THROTTLED };
    }
    const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: Buffer }>();
    const { host: _, ...headers } = incoming.headers;
    request(this.#database, { method: 'POST', headers }, (response) => {
      buffer(response).then((found) => resolve({ status: response.statusCode ?? 500, body: found }), reject);
    })
      .once('error', reject)
      .end(body);
    return promise;
  }

  #isTooMany(body: Buffer): boolean {
    const { Key } = JSON.parse(body.toString('utf8'));
    const key = JSON.stringify(Key);
    const writes = (this.#writes.get(key) ?? 0) + 1;
    this.#writes.set(key, writes);
    return writes > this.#unitsPerKey;
  }
}
