/**
 * The script of the reference (`/docs`). It fills the forms with live values, makes their requests,
 * keeps the samples up to date, filters the contents and marks the part in view. The page is
 * complete without it: `reference-html.ts` makes its elements and their `data-` attributes.
 */
import './reference.css';
import { type Language, requestUrl, SAMPLES, type Sample } from './samples.ts';

/** The response headers that are shown, in this order. */
const HEADERS = [
  'X-Total-Count',
  'X-Search-Match',
  'X-Fidelity-Minutes',
  'X-Snapshot-Id',
  'Link',
  'Last-Modified',
  'X-Catalogue-As-Of',
  'ETag',
  'RateLimit',
  'Retry-After',
  'X-Request-Id',
];
/** API Gateway itself gives up after 29 s. */
const TIMEOUT_MS = 30_000;
/** The button says "Copied" for this long. */
const COPIED_MS = 2_000;

/** All elements of a selector. */
const all = <E extends HTMLElement>(selector: string, root: ParentNode = document) => [
  ...root.querySelectorAll<E>(selector),
];
/** The element of a selector that the page has. */
const one = <E extends HTMLElement>(selector: string, root: ParentNode = document) =>
  root.querySelector<E>(selector) as E;
const forms = all<HTMLFormElement>('form');

for (const pre of all('[data-origin]'))
  pre.textContent = pre.textContent?.replace('http://127.0.0.1:3000', location.origin) ?? '';
for (const form of forms) {
  form.addEventListener('input', () => showSamples(form));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void run(form);
  });
}
document.addEventListener('click', ({ target }) => onClick(target as Element));
one('#filter').addEventListener('input', ({ target }) =>
  filter((target as HTMLInputElement).value),
);
// A part is in view if it crosses a line a fifth below the top of the window.
const observer = new IntersectionObserver(markPartInView, { rootMargin: '-20% 0% -80%' });
for (const part of all('article, section')) observer.observe(part);
void fillLiveValues();

/** What a click on a button or on a link of the contents does. */
function onClick(target: Element): void {
  const pressed = target.closest<HTMLElement>('button, #contents a');
  if (pressed?.matches('a')) one('#contents').hidePopover();
  if (pressed?.dataset.language) choose(pressed.dataset.language);
  if (pressed?.matches('[data-copy]')) void copy(pressed);
}

/** The request that a form makes with its current values. */
function sampleOf(form: HTMLFormElement): Sample {
  const values = all<HTMLInputElement | HTMLSelectElement>('[name]', form).map(
    ({ name, value }) => [name, value.trim()] as const,
  );
  const isText =
    'text' in form.dataset || values.some(([name, value]) => name === 'format' && value === 'csv');
  return { url: requestUrl(location.origin, form.dataset.path ?? '', values), isText };
}

/** Writes the samples of a form's request. */
function showSamples(form: HTMLFormElement): void {
  for (const pre of all('[data-sample]', form))
    pre.textContent = SAMPLES[pre.dataset.sample as Language](sampleOf(form));
}

/** Makes the request of a form, and shows its response, size and duration. */
async function run(form: HTMLFormElement): Promise<void> {
  const button = one<HTMLButtonElement>('.run', form);
  button.disabled = true;
  const started = performance.now();
  try {
    const response = await fetch(sampleOf(form).url, {
      cache: 'no-store',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await response.text();
    const bytes = new Blob([text]).size;
    const size = bytes < 1_000 ? `${bytes} bytes` : `${(bytes / 1_000).toFixed(1)} kB`;
    const ms = Math.round(performance.now() - started);
    const result = `${response.status} ${response.statusText} · ${ms} ms · ${size}`;
    const isJson = response.headers.get('Content-Type')?.includes('json');
    const body = isJson ? JSON.stringify(JSON.parse(text), null, 2) : text;
    show(form, result, body, response);
  } catch (error) {
    show(form, `No response: ${error instanceof Error ? error.message : error}`, '');
  }
  button.disabled = false;
}

/** Shows a response in the panel of a form. @param response undefined: none arrived */
function show(form: HTMLFormElement, result: string, body: string, response?: Response): void {
  one('.result', form).textContent = result;
  one('.result', form).className = `result ${response?.ok ? 'up' : 'down'}`;
  // The body is indented JSON: `  "error": "A sentence.",`.
  const [, sentence = ''] = /"error": (".*")/.exec(body) ?? [];
  const meaning = response && !response.ok ? meaningOf(form, response, body) : '';
  one('.meaning', form).textContent = `${sentence && JSON.parse(sentence)} ${meaning}`.trim();
  const headers = HEADERS.filter((name) => response?.headers.has(name));
  one('.headers', form).textContent = headers
    .map((name) => `${name}: ${response?.headers.get(name)}`)
    .join('\n');
  one('.body', form).textContent = body;
}

/** What an error means, from its row in the reference, and when to try again. */
function meaningOf(form: HTMLFormElement, { status, headers }: Response, body: string): string {
  const [, code = ''] = /"code": "(\w+)"/.exec(body) ?? [];
  const rows = [form, document].flatMap((root) => all(`[data-error^="${status} "]`, root));
  const row = rows.find(({ dataset }) => dataset.error === `${status} ${code}`) ?? rows[0];
  const seconds = headers.get('Retry-After');
  return `${row?.lastElementChild?.textContent ?? ''} ${seconds ? `Run it again in ${seconds} seconds.` : ''}`;
}

/** Fills the forms with values that exist now, so that the first press of Run returns data. */
async function fillLiveValues(): Promise<void> {
  const read = async (path: string) => {
    const response = await fetch(path, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (!response.ok) throw new Error(`${path} returned ${response.status}`);
    return await response.json();
  };
  try {
    const markets = await read('/api/markets?limit=50&fields=id,question,clobTokenId,eventSlug');
    const [first, second = first] = markets;
    const words: string[] = first.question.match(/\p{L}+/gu) ?? [];
    const [longestWord] = words.sort((a, b) => b.length - a.length);
    const inEvent = markets.find(({ eventSlug }: { eventSlug?: string }) => eventSlug);
    fill('id', first.id);
    fill('slug', inEvent?.eventSlug);
    fill('q', longestWord);
    fill('token_id', first.clobTokenId, second.clobTokenId);
  } catch {
    one('#notice').textContent =
      'No data could be read from the service: the values of the forms are invented examples.';
  }
  forms.forEach(showSamples);
}

/**
 * Fills the required fields of a name, unless the reader has changed them.
 *
 * @param other a second value for fields that take a list
 */
function fill(name: string, value: string | undefined, other = value): void {
  if (!value) return;
  for (const field of all<HTMLInputElement>(`input[name="${name}"][required]`)) {
    const isList = 'list' in field.dataset;
    if (field.value === field.defaultValue)
      field.value = isList ? [...new Set([value, other])].join() : value;
  }
}

/** Shows all samples in a language. */
function choose(language: string): void {
  for (const button of all('[data-language]'))
    button.ariaPressed = String(button.dataset.language === language);
  for (const sample of all('[data-sample]')) sample.hidden = sample.dataset.sample !== language;
}

/** Copies the shown sample of a form. */
async function copy(button: HTMLElement): Promise<void> {
  const [sample] = all('[data-sample]:not([hidden])', button.closest('form') ?? document);
  await navigator.clipboard.writeText(sample?.textContent ?? '');
  button.textContent = 'Copied';
  setTimeout(() => Object.assign(button, { textContent: 'Copy' }), COPIED_MS);
}

/** Hides the contents that lack one of the words, and unfolds parameters that have one. */
function filter(text: string): void {
  const words = text.toLowerCase().split(/\s+/);
  const items = all('#contents [data-words]');
  for (const item of items)
    item.hidden = !words.every((word) => item.dataset.words?.includes(word));
  const matches = items.filter(({ hidden }) => !hidden).length;
  // Unfolded parameters show what matched after a click on the match.
  const typed = words.filter((word) => word !== '');
  for (const details of all<HTMLDetailsElement>('main details:has(label)'))
    details.open = typed.some((word) => matchesParameter(details, word));
  one('#matches').textContent = text.trim() && `${matches} ${matches === 1 ? 'match' : 'matches'}`;
}

/** Whether the name of a folded parameter has the word. */
function matchesParameter(details: HTMLElement, word: string): boolean {
  const names = all('[name]', details).map((field) => field.getAttribute('name') ?? '');
  return names.some((name) => name.toLowerCase().includes(word));
}

/** Marks the link to the part that came into view. */
function markPartInView(entries: readonly IntersectionObserverEntry[]): void {
  const shown = entries.filter(({ isIntersecting }) => isIntersecting);
  const addresses = shown.map(({ target }) => `#${target.id}`);
  const links = all('#contents a');
  const link = links.find((each) => addresses.includes(each.getAttribute('href') ?? ''));
  if (!link) return;
  for (const each of links) each.ariaCurrent = each === link ? 'location' : null;
}
