/**
 * Makes the HTML of the reference (`/docs`) from the API document, when the page is built. The
 * reference is complete without `reference.ts`, which only adds live values and requests.
 */
import type { ApiDocument, Response, Schema, Value } from './api-document.ts';
import { checkDocument } from './api-document.ts';
import { type Endpoint, type Errors, endpointHtml, ORIGIN } from './endpoint-html.ts';
import { errorRows, fieldRows, listHtml, rowHtml, type Schemas, tableHtml } from './rows.ts';
import { code, escaped, paragraphs, prose, sentence, typeInWords } from './words.ts';

/** The address of the Model Context Protocol, which the API document lacks. */
const MCP_PATH = '/mcp';
/** A tag of the API document with its endpoints. */
interface Group {
  readonly name: string;
  readonly description: string;
  readonly endpoints: readonly Endpoint[];
}

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
  return `${contents(groups, Object.keys(schemas))}
<main id="reference" tabindex="-1">
  <h1>API reference <small>version ${escaped(info.version)}</small></h1>
  ${paragraphs(info.description)}
  ${further(repository)}
  <p id="notice">The forms have values that exist now: press <b>Run</b>.</p>
  ${listHtml(groups, (group) => groupHtml(group, common))}
  ${section('agents', agents(repository))}
  ${section('errors', commonErrorsHtml(common))}
  ${section('headers', tableHtml(Object.entries(headers).map(headerRow)))}
  ${section(
    'objects',
    listHtml(Object.entries(schemas), (object) => objectHtml(object, schemas)),
  )}
</main>`;
}

/** A part of the reference, to which the contents link. */
function section(id: string, content: string): string {
  return `<section id="${id}"><h2>${sentence(id)}</h2>${content}</section>`;
}

/** The endpoints of a tag. */
function groupHtml({ name, description, endpoints }: Group, common: Errors): string {
  const articles = listHtml(endpoints, (endpoint) => endpointHtml(endpoint, common));
  return section(name, `<p class="muted">${prose(description)}</p>${articles}`);
}

function headerRow([name, { schema, description }]: readonly [string, Value]): string {
  return rowHtml(code(name), typeInWords(schema), prose(description));
}

function objectHtml([name, schema]: readonly [string, Schema], schemas: Schemas): string {
  const fields = fieldRows(schema, schemas);
  return `<article id="${name}"><h3>${name}</h3>${paragraphs(schema.description)}${fields}</article>`;
}

/** The list of contents. The script filters it by `data-words`. */
function contents(groups: readonly Group[], objects: readonly string[]): string {
  const item = (id: string, text: string, words: string) =>
    `<li data-words="${escaped(words.toLowerCase())}"><a href="#${id}">${text}</a></li>`;
  const endpointItem = ({ operationId, path, summary, parameters }: Endpoint) => {
    const words = [path, summary, operationId, ...parameters.map(({ name }) => name)];
    return item(operationId, escaped(path), words.join(' '));
  };
  const groupItems = ({ name, endpoints }: Group) =>
    `<h2>${sentence(name)}</h2><ul class="paths">${listHtml(endpoints, endpointItem)}</ul>`;
  return `<nav id="contents" popover aria-label="Contents">
  <input id="filter" type="search" placeholder="Filter" aria-label="Filter by endpoint, parameter or object" autocomplete="off">
  <p id="matches" class="muted" role="status"></p>
  ${listHtml(groups, groupItems)}
  <h2>Agents</h2><ul class="paths">${item('agents', '/mcp', '/mcp mcp agents model context protocol tools')}</ul>
  <h2>All endpoints</h2><ul>${listHtml(['errors', 'headers'], (name) => item(name, sentence(name), name))}</ul>
  <h2>Objects</h2><ul>${listHtml(objects, (name) => item(name, name, name))}</ul>
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

/** The section of the errors that all endpoints have. */
function commonErrorsHtml(common: Errors): string {
  return `<p>Every endpoint can respond with these, and with its own. Those with a code have the body
    <a href="#ApiError">ApiError</a>.</p>${tableHtml([...common].map(errorRows))}`;
}

/** The errors that all endpoints describe in the same words. */
function commonErrors(endpoints: readonly Endpoint[]): Errors {
  const [first = {}, ...others] = endpoints.map(({ responses }) => responses);
  const isCommon = ([status, { description }]: readonly [string, Response]) =>
    status !== '200' && others.every((responses) => responses[status]?.description === description);
  return new Map(Object.entries(first).filter(isCommon));
}
