/**
 * Makes the HTML of the reference (`/docs`) from the API document, when the page is built. The
 * reference is complete without `reference.ts`, which only adds live values and requests.
 */
import type { ApiDocument, Operation, Parameter, Response, Schema, Value } from './api-document.ts';
import { checkDocument } from './api-document.ts';
import { errorRows, fieldRows, row, rows } from './rows.ts';
import { LANGUAGES, type Language, requestUrl, SAMPLES } from './samples.ts';
import { code, escaped, foldedValues, paragraphs, prose, sentence, typeInWords } from './words.ts';

/** An endpoint of the API. All of them are called with GET. */
interface Endpoint extends Operation {
  readonly path: string;
}
/** Error responses by status. */
type Errors = ReadonlyMap<string, Response>;

/**
 * Values that the forms have for these optional parameters, so that responses are short. The
 * browser fills the required ones with live values.
 */
const FILLED: Readonly<Record<string, string>> = { limit: '3', depth: '3', interval: '1d' };
/** If an endpoint has more than this many further parameters, they are folded. */
const MAX_OPEN = 3;
/** The address of the Model Context Protocol, which the API document lacks. */
const MCP_PATH = '/mcp';
/** The sample that is shown before the reader chooses another language. */
const FIRST_LANGUAGE: Language = 'curl';
/** The address of `npm start`; the browser replaces it. */
const ORIGIN = 'http://127.0.0.1:3000';

/** Items as HTML, one below the other. */
const list = <T>(items: readonly T[], write: (item: T) => string) => items.map(write).join('\n');

/** The whole reference. @throws Error at a keyword that the reference does not show */
export function referenceHtml(document: ApiDocument, repository: string): string {
  checkDocument(document);
  const { info, tags, paths, components } = document;
  const { schemas, headers } = components;
  const endpoints = Object.entries(paths).map(([path, { get }]): Endpoint => ({ ...get, path }));
  const groups = tags.map((tag) => ({
    ...tag,
    endpoints: endpoints.filter((endpoint) => endpoint.tags.includes(tag.name)),
  }));
  const common = commonErrors(endpoints);
  const section = (id: string, content: string) =>
    `<section id="${id}"><h2>${sentence(id)}</h2>${content}</section>`;
  const group = ({ name, description, endpoints: own }: (typeof groups)[number]) =>
    section(
      name,
      `<p class="muted">${prose(description)}</p>${list(own, (endpoint) => article(endpoint, common))}`,
    );
  const errors = `<p>Every endpoint can respond with these, and with its own. Those with a code have the body
    <a href="#ApiError">ApiError</a>.</p>${rows([...common].map(errorRows))}`;
  const headerRow = ([name, { schema, description }]: readonly [string, Value]) =>
    row(code(name), typeInWords(schema), prose(description));
  const object = ([name, schema]: readonly [string, Schema]) =>
    `<article id="${name}"><h3>${name}</h3>${paragraphs(schema.description)}${fieldRows(schema, schemas)}</article>`;
  return `${contents(groups, Object.keys(schemas))}
<main id="reference" tabindex="-1">
  <h1>API reference <small>version ${escaped(info.version)}</small></h1>
  ${paragraphs(info.description)}
  ${further(repository)}
  <p id="notice">The forms have values that exist now: press <b>Run</b>.</p>
  ${list(groups, group)}
  ${section('agents', agents(repository))}
  ${section('errors', errors)}
  ${section('headers', rows(Object.entries(headers).map(headerRow)))}
  ${section('objects', list(Object.entries(schemas), object))}
</main>`;
}

/** The list of contents. The script filters it by `data-words`. */
function contents(
  groups: readonly { name: string; endpoints: readonly Endpoint[] }[],
  objects: readonly string[],
) {
  const item = (id: string, text: string, words: string) =>
    `<li data-words="${escaped(words.toLowerCase())}"><a href="#${id}">${text}</a></li>`;
  const endpoint = ({ operationId, path, summary, parameters }: Endpoint) =>
    item(
      operationId,
      escaped(path),
      [path, summary, operationId, ...parameters.map(({ name }) => name)].join(' '),
    );
  return `<nav id="contents" popover aria-label="Contents">
  <input id="filter" type="search" placeholder="Filter" aria-label="Filter by endpoint, parameter or object" autocomplete="off">
  <p id="matches" class="muted" role="status"></p>
  ${list(groups, ({ name, endpoints }) => `<h2>${sentence(name)}</h2><ul class="paths">${list(endpoints, endpoint)}</ul>`)}
  <h2>Agents</h2><ul class="paths">${item('agents', '/mcp', '/mcp mcp agents model context protocol tools')}</ul>
  <h2>All endpoints</h2><ul>${list(['errors', 'headers'], (name) => item(name, sentence(name), name))}</ul>
  <h2>Objects</h2><ul>${list(objects, (name) => item(name, name, name))}</ul>
</nav>`;
}

/** Links to other documents. Those of the source code are absent without a repository. */
function further(repository: string): string {
  const link = (path: string, text: string) =>
    `<a href="${escaped(repository)}/blob/HEAD/${path}">${text}</a> · `;
  const files = [
    link('docs/api.md#cookbook', 'Cookbook'),
    link('packages/client/README.md', 'Client for TypeScript'),
    link('docs/api.md#agents', 'MCP for agents'),
  ];
  return `<p>${repository && files.join('')}<a href="/openapi.json">OpenAPI document</a> · <a href="/llms.txt">llms.txt</a></p>`;
}

/** The section about `/mcp`. The API document lacks it, because it speaks another protocol. */
function agents(repository: string): string {
  const more = repository
    ? ` <a href="${escaped(repository)}/blob/HEAD/docs/api.md#agents">How other agents connect</a>.`
    : '';
  return `<p class="call"><b>POST</b> ${code(MCP_PATH)}</p>
    <p>The same data as tools of the Model Context Protocol: streamable HTTP, no session, no key.
    Its requests count towards the same limit. Claude Code connects with:${more}</p>
    <pre tabindex="0" data-origin aria-label="Command">claude mcp add --transport http markets ${ORIGIN}${MCP_PATH}</pre>`;
}

/** The errors that all endpoints describe in the same words. */
function commonErrors(endpoints: readonly Endpoint[]): Errors {
  const [first = {}, ...others] = endpoints.map(({ responses }) => responses);
  const isCommon = ([status, { description }]: readonly [string, Response]) =>
    status !== '200' && others.every((responses) => responses[status]?.description === description);
  return new Map(Object.entries(first).filter(isCommon));
}

/** The article of an endpoint: its form, its responses, and a panel that makes the request. */
function article(endpoint: Endpoint, common: Errors): string {
  const { operationId: id, path, summary, description, responses } = endpoint;
  const own = Object.entries(responses).filter(
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
      <details><summary>Other responses: ${own.map(([status]) => status).join(', ')}</summary>${rows(own.map(errorRows))}
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
    rows(some.map((parameter) => parameterRow(operationId, parameter)));
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
  return row(label, typeInWords(schema) + separated + defaultValue, text, field(id, parameter));
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
  return `<select ${attributes}>${list(choices, option)}</select>`;
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
      <div class="bar keys">${list(languages, button)}
        <button type="button" data-copy>Copy</button><button class="run">Run</button></div>
      ${list(languages, samplePre)}
      <p class="result muted" role="status">Run shows the response.</p><p class="meaning"></p>
      <pre tabindex="0" class="headers" aria-label="Response headers"></pre>
      <pre tabindex="0" class="body" aria-label="Response"></pre>
    </div>`;
}
