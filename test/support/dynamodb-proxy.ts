import { once } from 'node:events';
import {
  Agent,
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { type StoreFault, type StoreStep, storeStep } from './store-fault.ts';

interface ActiveFault {
  readonly fault: StoreFault;
  seen: number;
  /** Calls that are held back: their next attempts are, too. */
  readonly held: Set<string>;
  readonly reached: PromiseWithResolvers<void>;
  readonly cleared: PromiseWithResolvers<void>;
  /** Whoever waited for the response has gone. */
  readonly abandoned: PromiseWithResolvers<void>;
}

const THROTTLED = JSON.stringify({
  __type: 'com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException',
  message: 'The level of configured provisioned throughput for the table was exceeded.',
});

/** Stands between the functions and the embedded DynamoDB, and passes everything on until it is told otherwise. */
export class DynamoDbProxy {
  readonly #agent = new Agent({ keepAlive: true });
  readonly #port: number;
  #server: Server;
  #target: string | undefined;
  #faults: readonly ActiveFault[] = [];
  /** What was asked of DynamoDB, in order. */
  readonly steps: StoreStep[] = [];

  private constructor(server: Server) {
    this.#server = server;
    this.#port = (server.address() as AddressInfo).port;
    this.#serve(server);
  }

  static async start(): Promise<DynamoDbProxy> {
    return new DynamoDbProxy(await listen(0));
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Known only once the service has been started, which must know this proxy's own address before. */
  set target(url: string) {
    this.#target = url;
  }

  /** @returns resolves when the first request has met the fault */
  add(fault: StoreFault): Promise<void> {
    const reached = Promise.withResolvers<void>();
    this.#faults = [
      ...this.#faults,
      {
        fault,
        seen: 0,
        held: new Set(),
        reached,
        cleared: Promise.withResolvers(),
        abandoned: Promise.withResolvers(),
      },
    ];
    return reached.promise;
  }

  /** Resolves when the senders of what is held back have gone. */
  async abandoned(): Promise<void> {
    await Promise.all(this.#faults.map(({ abandoned }) => abandoned.promise));
  }

  /** What is held back goes on, if its sender is still there. */
  async clear(): Promise<void> {
    for (const { cleared } of this.#faults) cleared.resolve();
    this.#faults = [];
    if (this.#server.listening) return;
    this.#server = await listen(this.#port);
    this.#serve(this.#server);
  }

  async close(): Promise<void> {
    this.#agent.destroy();
    this.#stop();
  }

  #serve(server: Server): void {
    server.keepAliveTimeout = 0;
    server.on('request', (incoming, response) => {
      this.#handle(incoming, response).catch(() => response.destroy());
    });
  }

  #stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(incoming);
    const step = storeStep(String(incoming.headers['x-amz-target'] ?? ''), body);
    this.steps.push(step);
    const active = this.#take(step, String(incoming.headers['amz-sdk-invocation-id']));
    response.once('close', () => active?.abandoned.resolve());
    switch (active?.fault.trouble) {
      case 'throttles':
        response.writeHead(400, { 'content-type': 'application/x-amz-json-1.0' }).end(THROTTLED);
        return;
      case 'refuses':
        this.#stop();
        return;
      case 'is slow':
        await wait(active.fault.ms ?? 0);
        break;
      case 'hangs':
        await active.cleared.promise;
        break;
    }
    if (response.destroyed) return; // the sender has given up, or was killed
    const forwarded = await this.#forward(incoming, body);
    if (active?.fault.trouble === 'does not confirm') {
      active.reached.resolve();
      await active.cleared.promise;
    }
    response.writeHead(forwarded.status, forwarded.headers).end(forwarded.body);
  }

  /** The fault that acts on this attempt of a call. */
  #take(step: StoreStep, call: string): ActiveFault | undefined {
    const active = this.#faults.find(({ fault }) => fault.step === step);
    if (!active || active.held.has(call)) return active;
    active.seen += 1;
    const { after = 0, times = Number.POSITIVE_INFINITY, trouble } = active.fault;
    if (active.seen <= after || active.seen > after + times) return undefined;
    if (trouble === 'hangs' || trouble === 'does not confirm') active.held.add(call);
    if (trouble !== 'does not confirm') active.reached.resolve();
    return active;
  }

  async #forward(incoming: IncomingMessage, body: string) {
    const { host: _, ...headers } = incoming.headers;
    const outgoing = request(this.#target ?? '', {
      method: incoming.method,
      headers,
      agent: this.#agent,
    });
    outgoing.end(body);
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    return { status: response.statusCode ?? 500, headers: response.headers, body: await text(response) };
  }
}

async function listen(port: number): Promise<Server> {
  const server = createServer();
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
