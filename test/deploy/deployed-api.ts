import { setTimeout as wait } from 'node:timers/promises';
import type { Status } from '../../lambda/endpoints/get-status.ts';
import { type Answer, Client } from '../../tools/smoke/client.ts';
import { pathOf } from '../../tools/smoke/deployment.ts';
import type { Emulator } from './emulator.ts';

/** The deployed API as callers reach it, without CloudFront: they send the key themselves. */
export class DeployedApi {
  readonly client: Client;
  readonly base: URL;

  private constructor(base: URL, apiKey: string) {
    this.base = base;
    this.client = new Client(base, apiKey);
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
    return new DeployedApi(new URL(`${endpoint}/restapis/${api}/${stage}/_user_request_`), key.value);
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
  anonymously(path: string): Promise<Answer> {
    return new Client(this.base).call(path);
  }
}
