import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FunctionDefinition } from 'cdk-local';

/** Capacity units that were used, as DynamoDB bills them on demand. */
export interface Units {
  /** Of everything but bases. */
  readonly reads: number;
  readonly writes: number;
  /** Of the bases of snapshots, which are written and read now and then. */
  readonly baseReads: number;
  readonly baseWrites: number;
}

const NONE: Units = { reads: 0, writes: 0, baseReads: 0, baseWrites: 0 };

/** Stands between the functions and the embedded DynamoDB, which says for each call what it would cost. */
export class DynamoDbMeter {
  readonly #server: Server;
  #database = '';
  #units = NONE;

  private constructor() {
    this.#server = createServer((request, response) => {
      this.#forward(request).then(
        ({ status, body }) => response.writeHead(status, { 'content-type': JSON_TYPE }).end(body),
        () => response.destroy(),
      );
    });
  }

  static async start(): Promise<DynamoDbMeter> {
    const meter = new DynamoDbMeter();
    await new Promise<void>((resolve) => meter.#server.listen(0, '127.0.0.1', resolve));
    return meter;
  }

  /** For `ServiceOptions.adjust`. */
  readonly adjust = (definition: FunctionDefinition): FunctionDefinition => {
    const { environment } = definition;
    this.#database = environment.AWS_ENDPOINT_URL_DYNAMODB ?? this.#database;
    const { port } = this.#server.address() as AddressInfo;
    const AWS_ENDPOINT_URL_DYNAMODB = `http://127.0.0.1:${port}`;
    return { ...definition, environment: { ...environment, AWS_ENDPOINT_URL_DYNAMODB } };
  };

  /** Since the last time. */
  take(): Units {
    const units = this.#units;
    this.#units = NONE;
    return units;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  async #forward(request: IncomingMessage): Promise<{ status: number; body: string }> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const input = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    const target = String(request.headers['x-amz-target']);
    const { authorization = '', 'x-amz-date': date = '' } = request.headers;
    const response = await fetch(this.#database, {
      method: 'POST',
      headers: {
        'content-type': JSON_TYPE,
        'x-amz-target': target,
        'x-amz-date': String(date),
        authorization,
      },
      body: JSON.stringify({ ...input, ReturnConsumedCapacity: 'TOTAL' }),
    });
    const body = await response.text();
    const { ConsumedCapacity } = JSON.parse(body) as { ConsumedCapacity?: { CapacityUnits?: number } };
    const units = ConsumedCapacity?.CapacityUnits ?? 0;
    const kind = target.endsWith('.GetItem') ? 'Reads' : 'Writes';
    const isBase = (input.Key ?? input.Item)?.pk?.S?.startsWith('BASE#') === true;
    const name = isBase ? (`base${kind}` as const) : (kind.toLowerCase() as 'reads' | 'writes');
    this.#units = { ...this.#units, [name]: this.#units[name] + units };
    return { status: response.status, body };
  }
}

const JSON_TYPE = 'application/x-amz-json-1.0';
