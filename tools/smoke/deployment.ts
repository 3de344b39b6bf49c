import { ERRORS, type ErrorCode } from '../../lambda/contract/errors.ts';
import { ROUTES, type RouteName } from '../../lambda/contract/routes.ts';
import type { Market } from '../../lambda/domain/market.ts';
import { CheckFailure, ensure } from './check-failure.ts';
import type { CallOptions, Client, HttpResponse } from './client.ts';
import { schemaValidator, type ValidateBody } from './schema-validator.ts';

/** A page of markets with the response that it came in. */
export interface MarketPage {
  readonly response: HttpResponse;
  readonly markets: readonly Market[];
}

/** Markets in a page that is read for the checks. */
export const PAGE = 5;

/** What the checks ask of a deployment. Every body is held against the API document. */
export class Deployment {
  readonly client: Client;
  readonly #validate: ValidateBody = schemaValidator();
  #firstPage: Promise<MarketPage> | undefined;

  constructor(client: Client) {
    this.client = client;
  }

  /** Asks an endpoint, expecting 200 and a documented body. */
  async get<T>(
    route: RouteName,
    query: Readonly<Record<string, string>> = {},
    options: CallOptions = {},
  ): Promise<{ readonly response: HttpResponse; readonly body: T }> {
    const response = await this.client.call(pathOf(route, query), options);
    return { response, body: this.documented<T>(route, response) };
  }

  /** @throws CheckFailure unless the response is 200 with a body as documented */
  documented<T>(route: RouteName, response: HttpResponse): T {
    ensure(response.status === 200, `${response.status} instead of 200: ${response.text.slice(0, 200)}`);
    this.#conforms(ROUTES[route].path, 200, response);
    return response.json as T;
  }

  /** Expects an error as design 2.3 has it, and returns its sentence. */
  async refused(
    target: string,
    code: ErrorCode,
    options: CallOptions = {},
  ): Promise<{ readonly response: HttpResponse; readonly error: string }> {
    const response = await this.client.call(target, options);
    const { status } = ERRORS[code];
    ensure(
      response.status === status,
      `${response.status} instead of ${status}: ${response.text.slice(0, 200)}`,
    );
    // All errors have one body, whatever the path: that of the endpoint without errors of its own serves.
    this.#conforms(ROUTES['get-status'].path, ERRORS.internal_error.status, response);
    const body = response.json as { code: string; error: string; requestId: string };
    ensure(body.code === code, `the code is ${body.code} instead of ${code}`);
    ensure(response.headers.get('cache-control') === 'no-store', 'the error may be cached');
    ensure(body.requestId === response.headers.get('x-request-id'), 'requestId is not that of X-Request-Id');
    return { response, error: body.error };
  }

  /** The first markets of the list, asked for once: several checks look at them. */
  firstPage(): Promise<MarketPage> {
    this.#firstPage ??= this.get<Market[]>('list-markets', { limit: String(PAGE) }).then(
      ({ response, body }) => {
        ensure(body.length > 0, 'there are no markets');
        return { response, markets: body };
      },
    );
    return this.#firstPage;
  }

  /** The first of the listed markets that `usable` takes. */
  async market(usable: (market: Market) => boolean = () => true): Promise<Market> {
    const { markets } = await this.firstPage();
    const found = markets.find(usable) ?? markets[0];
    if (!found) throw new CheckFailure('there are no markets');
    return found;
  }

  #conforms(path: string, status: number, response: HttpResponse): void {
    const type = response.headers.get('content-type');
    ensure(/^application\/json\b/.test(type ?? ''), `the body is ${type} instead of JSON`);
    ensure(response.json !== undefined, 'the body cannot be read as JSON');
    const wrong = this.#validate(path, status, response.json);
    ensure(wrong.length === 0, `not as documented: ${wrong.slice(0, 3).join('; ')}`);
  }
}

/** The path of an endpoint, its segments in braces filled in, with the rest of the parameters as its query. */
export function pathOf(route: RouteName, parameters: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams(parameters);
  const path = ROUTES[route].path.replace(/\{(\w+)\}/g, (_, name: string) => {
    query.delete(name);
    return encodeURIComponent(parameters[name] ?? '');
  });
  return `${path}${query.size > 0 ? `?${query}` : ''}`;
}
