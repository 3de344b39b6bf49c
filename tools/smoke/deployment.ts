import { ERRORS, type ErrorCode } from '../../lambda/contract/errors.ts';
import { ROUTES, type RouteName } from '../../lambda/contract/routes.ts';
import type { Market } from '../../lambda/domain/market.ts';
import { CheckFailure, ensure } from './check.ts';
import type { Answer, CallOptions, Client } from './client.ts';
import { schemaValidator, type ValidateBody } from './schema-validator.ts';

/** A page of markets with the answer that it came in. */
export interface MarketPage {
  readonly answer: Answer;
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
  ): Promise<{ readonly answer: Answer; readonly body: T }> {
    const answer = await this.client.call(pathOf(route, query), options);
    return { answer, body: this.documented<T>(route, answer) };
  }

  /** @throws CheckFailure unless the answer is 200 with a body as documented */
  documented<T>(route: RouteName, answer: Answer): T {
    ensure(answer.status === 200, `${answer.status} instead of 200: ${answer.text.slice(0, 200)}`);
    this.#conforms(ROUTES[route].path, 200, answer);
    return answer.json as T;
  }

  /** Expects an error as design 2.3 has it, and returns its sentence. */
  async refused(
    target: string,
    code: ErrorCode,
    options: CallOptions = {},
  ): Promise<{ readonly answer: Answer; readonly error: string }> {
    const answer = await this.client.call(target, options);
    const { status } = ERRORS[code];
    ensure(answer.status === status, `${answer.status} instead of ${status}: ${answer.text.slice(0, 200)}`);
    // All errors have one body, whatever the path: that of the endpoint without errors of its own serves.
    this.#conforms(ROUTES['get-status'].path, ERRORS.internal_error.status, answer);
    const body = answer.json as { code: string; error: string; requestId: string };
    ensure(body.code === code, `the code is ${body.code} instead of ${code}`);
    ensure(answer.headers.get('cache-control') === 'no-store', 'the error may be cached');
    ensure(body.requestId === answer.headers.get('x-request-id'), 'requestId is not that of X-Request-Id');
    return { answer, error: body.error };
  }

  /** The first markets of the list, asked for once: several checks look at them. */
  firstPage(): Promise<MarketPage> {
    this.#firstPage ??= this.get<Market[]>('list-markets', { limit: String(PAGE) }).then(
      ({ answer, body }) => {
        ensure(body.length > 0, 'there are no markets');
        return { answer, markets: body };
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

  #conforms(path: string, status: number, answer: Answer): void {
    const type = answer.headers.get('content-type');
    ensure(/^application\/json\b/.test(type ?? ''), `the body is ${type} instead of JSON`);
    ensure(answer.json !== undefined, 'the body cannot be read as JSON');
    const wrong = this.#validate(path, status, answer.json);
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
