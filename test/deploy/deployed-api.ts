import { setTimeout as wait } from 'node:timers/promises';
import type { Status } from '../../lambda/endpoints/get-status.ts';
import { type CallOptions, Client, type HttpResponse } from '../../tools/smoke/client.ts';
import { pathOf } from '../../tools/smoke/deployment.ts';
import type { Emulator } from './emulator.ts';

/**
 * The emulator serves all APIs on one host, each below a path of its own; AWS gives each a host. Links name the path
 * below that host, with the stage: they are followed as if the API had it.
 */
class EmulatedHostClient extends Client {
  readonly #host: string;

  /** @param host what stands for the API's host @param stage of the API, which the paths begin with */
  constructor(host: string, stage: string, apiKey?: string) {
    super(new URL(`${host}/${stage}`), apiKey);
    this.#host = host;
  }

  override call(target: string | URL, options?: CallOptions): Promise<HttpResponse> {
    if (typeof target === 'string' || target.href.startsWith(this.#host)) return super.call(target, options);
    return super.call(new URL(`${this.#host}${target.pathname}${target.search}`), options);
  }
}

/** The deployed API as callers reach it, without CloudFront: they send the key themselves. */
export class DeployedApi {
  readonly client: Client;
  readonly base: URL;
  readonly #anonymous: Client;

  private constructor(host: string, stage: string, apiKey: string) {
    this.base = new URL(`${host}/${stage}`);
    this.client = new EmulatedHostClient(host, stage, apiKey);
    this.#anonymous = new EmulatedHostClient(host, stage);
  }

  /** @param outputs of the stack @param endpoint where the emulator serves execute-api, too */
  static async of(
    outputs: Readonly<Record<string, string>>,
    endpoint: string,
    emulator: Emulator,
  ): Promise<DeployedApi> {
    const { ApiUrl = '', PublicApiKeyId: apiKey } = outputs;
    const url = new URL(ApiUrl);
    const [api] = url.hostname.split('.');
    const stage = url.pathname.replaceAll('/', '');
    const key = await emulator.call<{ value: string }>('apigateway', 'get_api_key', {
      apiKey,
      includeValue: true,
    });
    return new DeployedApi(`${endpoint}/_aws/execute-api/${api}`, stage, key.value);
  }

  async status(): Promise<Status> {
    return (await this.client.call(pathOf('get-status'))).json as Status;
  }

  /** Asks for the status, every second, until it is as wanted. @throws Error after `seconds` */
  async statusWhen(wanted: (status: Status) => boolean, seconds: number): Promise<Status> {
    let status = await this.status();
    for (let waited = 0; waited < seconds && !wanted(status); waited++) {
      await wait(1_000);
      status = await this.status();
    }
    if (!wanted(status)) throw new Error(`after ${seconds} s the status is ${JSON.stringify(status)}`);
    return status;
  }

  /** A call without any key. */
  anonymously(path: string): Promise<HttpResponse> {
    return this.#anonymous.call(path);
  }
}
