import { TemplateError } from '../template/json.ts';
import type { Properties } from '../template/properties.ts';
import type { Stack } from '../template/stack.ts';
import {
  GATEWAY_RESPONSE_TYPES,
  type GatewayResponseType,
  isGatewayResponseType,
} from './gateway-response-types.ts';
import type { Header, HttpResponse } from './messages.ts';
import { compileParameter, compileTemplate, type Lookup } from './substitution.ts';

interface Customisation {
  readonly status: number | undefined;
  readonly headers: readonly (readonly [string, (lookup: Lookup) => string | undefined])[];
  readonly body: { readonly type: string; readonly render: (lookup: Lookup) => string } | undefined;
}

const HEADER = 'gatewayresponse.header.';
const JSON_TYPE = 'application/json';
/** API Gateway's own template. */
const DEFAULT_TEMPLATE = '{"message":$context.error.messageString}';

/** Makes the responses that come from API Gateway itself, as the template's AWS::ApiGateway::GatewayResponse say. */
export class GatewayResponses {
  readonly #customisations = new Map<GatewayResponseType, Customisation>();

  constructor(stack: Stack) {
    for (const { id, properties } of stack.resources('AWS::ApiGateway::GatewayResponse')) {
      const type = properties.string('ResponseType');
      if (!isGatewayResponseType(type))
        throw new TemplateError(`${id}.ResponseType: there is no type ${type}`);
      this.#customisations.set(type, customisationOf(properties));
    }
  }

  /** @param message replaces the type's own sentence */
  make(type: GatewayResponseType, lookup: Lookup, message?: string): HttpResponse {
    const standard = GATEWAY_RESPONSE_TYPES[type];
    const fallback = this.#customisations.get(standard.status < 500 ? 'DEFAULT_4XX' : 'DEFAULT_5XX');
    const custom = this.#customisations.get(type) ?? fallback;
    const sentence = message ?? standard.message;
    const withError: Lookup = (reference) => {
      if (reference === 'context.error.message') return sentence ?? '';
      if (reference === 'context.error.messageString') return JSON.stringify(sentence);
      if (reference === 'context.error.responseType') return type;
      return lookup(reference);
    };
    const { type: contentType, render } = custom?.body ?? STANDARD_BODY;
    const headers: Header[] = [
      ['Content-Type', contentType],
      ['x-amzn-ErrorType', standard.errorType],
    ];
    for (const [name, evaluate] of custom?.headers ?? []) {
      const value = evaluate(withError);
      if (value !== undefined) setHeader(headers, name, value);
    }
    return { status: custom?.status ?? standard.status, headers, body: Buffer.from(render(withError)) };
  }
}

const STANDARD_BODY = { type: JSON_TYPE, render: compileTemplate(DEFAULT_TEMPLATE, 'default template') };

function setHeader(headers: Header[], name: string, value: string): void {
  const index = headers.findIndex(([own]) => own.toLowerCase() === name.toLowerCase());
  headers.splice(index === -1 ? headers.length : index, 1, [name, value]);
}

function customisationOf(properties: Properties): Customisation {
  const headers = Object.entries(properties.strings('ResponseParameters')).map(([target, expression]) => {
    const where = properties.where(`ResponseParameters.${target}`);
    if (!target.startsWith(HEADER))
      throw new TemplateError(`${where}: only gatewayresponse.header.* is known`);
    return [target.slice(HEADER.length), compileParameter(expression, where)] as const;
  });
  const templates = Object.entries(properties.strings('ResponseTemplates'));
  const [type, template] = templates.find(([key]) => key === JSON_TYPE) ?? templates[0] ?? [];
  const where = properties.where(`ResponseTemplates.${type}`);
  return {
    status: properties.optionalNumber('StatusCode'),
    headers,
    body:
      type === undefined || template === undefined
        ? undefined
        : { type, render: compileTemplate(template, where) },
  };
}
