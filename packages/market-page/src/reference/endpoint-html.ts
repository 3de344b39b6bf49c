/**
 * The HTML of an endpoint in the reference: its form, its responses, and a panel with samples of
 * the request. `reference.ts` fills the forms and makes the requests.
 */
import type { Operation, Parameter, Response } from './api-document.ts';
import { errorRows, fieldRows, listHtml, rowHtml, tableHtml } from './rows.ts';
import { LANGUAGES, type Language, requestUrl, SAMPLES } from './samples.ts';
import { code, escaped, foldedValues, paragraphs, prose, typeInWords } from './words.ts';

/** An endpoint of the API. All of them are called with GET. */
export interface Endpoint extends Operation {
  readonly path: string;
}

/** Error responses by status. */
export type Errors = ReadonlyMap<string, Response>;

/**
 * The values that the forms have for these optional parameters, so that responses are short. The
 * browser fills required parameters with live values.
 */
const FILLED: Readonly<Record<string, string>> = { limit: '3', depth: '3', interval: '1d' };
/** If an endpoint has more than this many further parameters, they are folded. */
const MAX_OPEN = 3;
/** The sample that is shown before the reader chooses another language. */
const FIRST_LANGUAGE: Language = 'curl';
/** The address of `npm start`. The browser replaces it by that of the page. */
export const ORIGIN = 'http://127.0.0.1:3000';

/**
 * The article of an endpoint: its form, its responses, and a panel that makes the request.
 *
 * @param common the errors that all endpoints have, which the article only links to
 */
export function endpointHtml(endpoint: Endpoint, common: Errors): string {
  const { operationId: id, path, summary, description, responses } = endpoint;
  const ownErrors = Object.entries(responses).filter(
    ([status, response]) =>
      status !== '200' && common.get(status)?.description !== response.description,
  );
  const isText = !responses[200]?.content?.['application/json'];
  return `<article id="${id}" aria-labelledby="${id}-title">
  <h3 id="${id}-title"><a class="link" href="#${id}">${prose(summary)}</a></h3>
  <p class="call"><b>GET</b> ${code(path)}</p>
  ${paragraphs(description)}
  <form data-path="${escaped(path)}"${isText ? ' data-text' : ''} autocomplete="off">
    <div>
      ${parameterRows(endpoint)}
      <h4>Response</h4>
      ${success(responses[200])}
      <details><summary>Other responses: ${ownErrors.map(([status]) => status).join(', ')}</summary>${tableHtml(ownErrors.map(errorRows))}
        <p>Also the <a href="#errors">errors of all endpoints</a>: ${[...common.keys()].join(', ')}.</p></details>
    </div>
    ${panel(endpoint, isText)}
  </form>
</article>`;
}

/** The parameters of an endpoint: required and filled ones first, many others folded. */
function parameterRows({ operationId, parameters }: Endpoint): string {
  if (parameters.length === 0) return '';
  const isFirst = ({ name, required }: Parameter) => required || name in FILLED;
  const first = parameters.filter(isFirst);
  const others = parameters.filter((parameter) => !isFirst(parameter));
  const write = (some: readonly Parameter[]) =>
    tableHtml(some.map((parameter) => parameterRow(operationId, parameter)));
  if (others.length <= MAX_OPEN) return `<h4>Parameters</h4>${write([...first, ...others])}`;
  const summary = `<summary>${others.length} more parameters</summary>`;
  return `<h4>Parameters</h4>${write(first)}<details>${summary}${write(others)}</details>`;
}

/** A parameter: its name, type and description, and the field of the form. */
function parameterRow(operationId: string, parameter: Parameter): string {
  const { name, required, description, schema, example } = parameter;
  const id = `${operationId}-${name}`;
  const separated = schema.type === 'array' ? ', separated by commas' : '';
  const defaultValue = schema.default === undefined ? '' : `; default ${code(schema.default)}`;
  const sample =
    required || example === undefined ? '' : ` Example: ${code([example].flat().join())}`;
  const label = `<label for="${id}">${code(name)}</label>${required ? ' <b>required</b>' : ''}`;
  const text = `<span id="${id}-about">${prose(description)}${sample}</span>${foldedValues(schema)}`;
  return rowHtml(label, typeInWords(schema) + separated + defaultValue, text, field(id, parameter));
}

/** The field of a parameter in the form: a choice for an enum, else a line of text. */
function field(id: string, parameter: Parameter): string {
  const { name, required, schema } = parameter;
  const value = filledValue(parameter);
  const attributes = `id="${id}" name="${name}" aria-describedby="${id}-about"${required ? ' required' : ''}`;
  if (!schema.enum) {
    // The script fills a list with several live values.
    const isList = schema.type === 'array' ? ' data-list' : '';
    return `<input ${attributes} value="${escaped(value)}"${isList}>`;
  }
  const choices = required ? schema.enum : ['', ...schema.enum];
  const option = (choice: unknown) =>
    `<option${choice === value ? ' selected' : ''}>${escaped(choice)}</option>`;
  return `<select ${attributes}>${listHtml(choices, option)}</select>`;
}

/** The value of a parameter's field. Required parameters have their example. */
const filledValue = ({ name, required, example = '' }: Parameter) =>
  FILLED[name] ?? (required ? [example].flat().join() : '');

/** The response 200: its fields, its other content types, and its headers. */
function success(response: Response | undefined): string {
  const [media, ...others] = Object.entries(response?.content ?? {});
  const headers = Object.keys(response?.headers ?? {}).map(code);
  const also = others.map(([type]) => `, also as ${code(type)}`).join('');
  return `${media ? fieldRows(media[1].schema).replace('</p>', `${also}</p>`) : ''}
      <p class="muted"><a href="#headers">Headers</a>: ${headers.join(' ')}</p>`;
}

/** The samples of a request in each language, and the place of its response. */
function panel({ operationId, path, parameters }: Endpoint, isText: boolean): string {
  const values = parameters.map((one) => [one.name, filledValue(one)] as const);
  const sample = { url: requestUrl(ORIGIN, path, values), isText };
  const languages = Object.entries(LANGUAGES) as [Language, string][];
  const button = ([key, name]: readonly [Language, string]) =>
    `<button type="button" data-language="${key}" aria-pressed="${key === FIRST_LANGUAGE}">${name}</button>`;
  const samplePre = ([key, name]: readonly [Language, string]) =>
    `<pre tabindex="0" data-sample="${key}" aria-label="${name}"${key === FIRST_LANGUAGE ? '' : ' hidden'}>${escaped(SAMPLES[key](sample))}</pre>`;
  return `<div class="panel" role="group" aria-label="Request of ${operationId}">
      <div class="bar keys">${listHtml(languages, button)}
        <button type="button" data-copy>Copy</button><button class="run">Run</button></div>
      ${listHtml(languages, samplePre)}
      <p class="result muted" role="status">Run shows the response.</p><p class="meaning"></p>
      <pre tabindex="0" class="headers" aria-label="Response headers"></pre>
      <pre tabindex="0" class="body" aria-label="Response"></pre>
    </div>`;
}
