/** The API reference: the API document of this service, with requests that return data at the first click. */
import 'swagger-ui-dist/swagger-ui.css';
import SwaggerUIBundle from 'swagger-ui-dist/swagger-ui-bundle.js';
import './docs.css';

/** The parts of the API document that this page changes. */
interface Parameter {
  readonly name: string;
  readonly required: boolean;
  readonly description: string;
  readonly example?: unknown;
  readonly schema: { readonly type?: string; readonly pattern?: string; readonly default?: unknown };
}
interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { parameters?: readonly Parameter[] }>>>>;
  readonly components: Readonly<Record<string, unknown>>;
}

/** Values for required parameters, by name. */
type LiveValues = Readonly<Record<string, string>>;

async function show(): Promise<void> {
  const [document, values] = await Promise.all([read<ApiDocument>('/openapi.json'), liveValues()]);
  // Swagger UI fills each parameter with its example: required ones get live values, optional ones stay empty.
  for (const operation of Object.values(document.paths).flatMap((path) => Object.values(path)))
    if (operation.parameters) operation.parameters = operation.parameters.map((one) => withValue(one, values));
  // Callers of this address need no key, so there is nothing to authorize.
  const { securitySchemes: _securitySchemes, ...components } = document.components;
  SwaggerUIBundle({
    spec: {
      ...document,
      // The document has a relative server; a reader wants to see and copy the address.
      servers: [{ url: location.origin, description: 'This service' }],
      components,
      security: [],
    },
    dom_id: '#reference',
    deepLinking: true,
    tryItOutEnabled: true,
    // The list of all schemas is last, and closed: each endpoint shows its own.
    defaultModelsExpandDepth: 0,
    // Requests go to this origin only: no validator badge.
    validatorUrl: null,
  });
}

async function read<T>(path: string): Promise<T> {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`${path} returned ${response.status}`);
  return await response.json();
}

/** The first market, its token, the first event and the snapshot before the newest. Empty while the service has no data. */
async function liveValues(): Promise<LiveValues> {
  try {
    type Row = Readonly<Record<'id' | 'question' | 'clobTokenId', string>> & { readonly eventSlug?: string };
    const [status, markets] = await Promise.all([
      read<{ readonly snapshot: string; readonly previousSnapshot: string | null }>('/api/status'),
      read<readonly Row[]>('/api/markets?limit=50&fields=id,question,clobTokenId,eventSlug'),
    ]);
    const [first] = markets;
    if (!first) return {};
    const slug = markets.find(({ eventSlug }) => eventSlug)?.eventSlug;
    const [word] = first.question.match(/\p{L}+/gu)?.sort((a, b) => b.length - a.length) ?? [];
    return {
      id: first.id,
      token_id: first.clobTokenId,
      since: status.previousSnapshot ?? status.snapshot,
      ...(slug ? { slug } : {}),
      ...(word ? { q: word } : {}),
    };
  } catch {
    const note = document.querySelector('#note');
    if (note) note.textContent = 'The service has no data at the moment. The values below are invented examples.';
    return {};
  }
}

function withValue({ example, schema, ...parameter }: Parameter, values: LiveValues): Parameter {
  // The service checks patterns itself. Swagger UI would compile them without the flag `u`, which some of them need.
  const { pattern: _pattern, default: usual, ...others } = schema;
  if (parameter.required) {
    const value = values[parameter.name];
    const live = schema.type === 'array' ? [value] : value;
    return { ...parameter, schema: others, example: value === undefined ? example : live };
  }
  const hint = usual === undefined ? '' : ` Default: \`${usual}\`.`;
  const description = `${parameter.description}${hint} Example: \`${[example].flat().join(',')}\`.`;
  return { ...parameter, description, schema: others };
}

/** Swagger UI gives its select elements no accessible name. */
function nameSelects(): void {
  for (const select of document.querySelectorAll('#reference select:not([aria-label])')) {
    const parameter = select.closest('tr')?.querySelector('.parameter__name')?.firstChild?.textContent;
    select.setAttribute('aria-label', parameter ?? 'Choice');
  }
}

const dark = matchMedia('(prefers-color-scheme: dark)');
const setTheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
setTheme();
dark.addEventListener('change', setTheme);
new MutationObserver(nameSelects).observe(document.documentElement, { childList: true, subtree: true });
void show();
