import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FunctionDefinition } from 'cdk-local';

/** A call that a function has made. */
export interface RecordedCall {
  /** Logical id of the function. */
  readonly functionId: string;
  /** As IAM names it: `dynamodb:GetItem`. */
  readonly action: string;
  readonly table: string;
}

/** Stands between the functions and the embedded DynamoDB and writes down who asks for what. */
export class DynamoDbRecorder {
  readonly #server: Server;
  readonly #calls = new Map<string, RecordedCall>();
  #database = '';

  private constructor() {
    this.#server = createServer((request, response) => {
      this.#forward(request).then(
        ({ status, body }) => response.writeHead(status, { 'content-type': JSON_TYPE }).end(body),
        (error: unknown) => response.destroy(error instanceof Error ? error : undefined),
      );
    });
  }

  static async start(): Promise<DynamoDbRecorder> {
    const recorder = new DynamoDbRecorder();
    await new Promise<void>((resolve) => recorder.#server.listen(0, '127.0.0.1', resolve));
    return recorder;
  }

  /** For `ServiceOptions.adjust`: each function gets an address of its own, so that it is known who calls. */
  readonly adjust = (definition: FunctionDefinition): FunctionDefinition => {
    const { environment, id } = definition;
    this.#database = environment.AWS_ENDPOINT_URL_DYNAMODB ?? '';
    const { port } = this.#server.address() as AddressInfo;
    const AWS_ENDPOINT_URL_DYNAMODB = `http://127.0.0.1:${port}/${id}`;
    return { ...definition, environment: { ...environment, AWS_ENDPOINT_URL_DYNAMODB } };
  };

  /** Each different call once. */
  calls(): RecordedCall[] {
    return [...this.#calls.values()];
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }

  async #forward(request: IncomingMessage): Promise<{ status: number; body: Buffer }> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const target = String(request.headers['x-amz-target']);
    const call: RecordedCall = {
      functionId: (request.url ?? '').split('/')[1] ?? '',
      action: `dynamodb:${target.split('.').at(-1)}`,
      table: JSON.parse(body.toString('utf8')).TableName,
    };
    this.#calls.set(JSON.stringify(call), call);
    const { authorization = '', 'x-amz-date': date = '' } = request.headers;
    const headers = {
      'content-type': JSON_TYPE,
      'x-amz-target': target,
      'x-amz-date': String(date),
      authorization,
    };
    const response = await fetch(this.#database, { method: 'POST', headers, body });
    return { status: response.status, body: Buffer.from(await response.arrayBuffer()) };
  }
}

const JSON_TYPE = 'application/x-amz-json-1.0';
