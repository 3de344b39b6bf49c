import { TemplateError } from '../template/json.ts';
import type { Properties } from '../template/properties.ts';
import type { Header } from './messages.ts';
import { compileParameter, compileTemplate, type Lookup } from './substitution.ts';

/** A MOCK integration: a response that the template holds. */
export interface MockIntegration {
  readonly kind: 'mock';
  /** Media types of which a request body is understood; one of another kind is an error. */
  readonly mediaTypes: readonly string[];
  readonly respond: (lookup: Lookup) => { status: number; headers: Header[]; body: string };
}

const JSON_TYPE = 'application/json';
const RESPONSE_HEADER = 'method.response.header.';

/** @throws {TemplateError} for a template that is more than a status code */
export function readMockIntegration(integration: Properties): MockIntegration {
  const templates = integration.strings('RequestTemplates');
  const asked = statusCodeOf(templates[JSON_TYPE], integration.where('RequestTemplates'));
  const responses = integration.objects('IntegrationResponses');
  const chosen =
    responses.find((response) => {
      const pattern = response.optionalString('SelectionPattern');
      return pattern !== undefined && pattern !== '' && new RegExp(`^(?:${pattern})$`).test(asked);
    }) ?? responses.find((response) => (response.optionalString('SelectionPattern') ?? '') === '');
  if (chosen === undefined) {
    throw new TemplateError(`${integration.where('IntegrationResponses')}: none is for the status ${asked}`);
  }
  return { kind: 'mock', mediaTypes: Object.keys(templates), respond: compileResponse(chosen) };
}

/** `{"statusCode": 200}`, with or without the quotes: the CDK's own preflights leave them out. */
function statusCodeOf(template: string | undefined, where: string): string {
  const status = /^\s*\{\s*"?statusCode"?\s*:\s*(\d{3})\s*\}\s*$/.exec(template ?? '')?.[1];
  if (status === undefined) throw new TemplateError(`${where}: cannot evaluate ${JSON.stringify(template)}`);
  return status;
}

function compileResponse(response: Properties): MockIntegration['respond'] {
  const status = response.number('StatusCode');
  const headers = Object.entries(response.strings('ResponseParameters')).map(([target, expression]) => {
    const where = response.where(`ResponseParameters.${target}`);
    if (!target.startsWith(RESPONSE_HEADER)) throw new TemplateError(`${where}: only headers can be set`);
    return [target.slice(RESPONSE_HEADER.length), compileParameter(expression, where)] as const;
  });
  const templates = response.strings('ResponseTemplates');
  const [type, template] = Object.entries(templates).find(([key]) => key === JSON_TYPE) ??
    Object.entries(templates)[0] ?? [JSON_TYPE, ''];
  const render = compileTemplate(template, response.where(`ResponseTemplates.${type}`));
  return (lookup) => {
    const set: Header[] = headers.flatMap(([name, evaluate]) => {
      const value = evaluate(lookup);
      return value === undefined ? [] : [[name, value] as const];
    });
    const typed = status === 204 || set.some(([name]) => name.toLowerCase() === 'content-type');
    return { status, headers: typed ? set : [['Content-Type', type], ...set], body: render(lookup) };
  };
}
