/** The forms of the API reference: live values, samples that follow them, requests. Without it the page is complete text. */
import './reference.css';
import { type Language, requestUrl, SAMPLES, type Sample } from './samples.ts';

/** Headers that a caller works with. */
const HEADERS = [
  ...['X-Total-Count', 'X-Search-Match', 'X-Fidelity-Minutes', 'X-Snapshot-Id', 'Link', 'Last-Modified'],
  ...['X-Catalogue-As-Of', 'ETag', 'RateLimit', 'Retry-After', 'X-Request-Id'],
];
/** Longer bodies would make the page slow. */
const MAX_CHARACTERS = 100_000;
const TIMEOUT_MS = 30_000;

type Field = HTMLInputElement | HTMLSelectElement;
const all = <E extends HTMLElement>(selector: string, root: ParentNode = document) => [
  ...root.querySelectorAll<E>(selector),
];
const one = <E extends HTMLElement>(selector: string, root: ParentNode = document) =>
  root.querySelector<E>(selector) as E;
const forms = all<HTMLFormElement>('form');

function sampleOf(form: HTMLFormElement): Sample {
  const values = all<Field>('[name]', form).map(({ name, value }) => [name, value.trim()] as const);
  const isText = 'text' in form.dataset || values.some(([name, value]) => name === 'format' && value === 'csv');
  return { url: requestUrl(location.origin, form.dataset.path ?? '', values), isText };
}

function showSamples(form: HTMLFormElement): void {
  for (const pre of all('[data-sample]', form))
    pre.textContent = SAMPLES[pre.dataset.sample as Language](sampleOf(form));
}

async function run(form: HTMLFormElement): Promise<void> {
  const button = one<HTMLButtonElement>('.run', form);
  button.disabled = true;
  const started = performance.now();
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(sampleOf(form).url, { cache: 'no-store', signal });
    const text = await response.text();
    const bytes = new Blob([text]).size;
    const size = bytes < 1_000 ? `${bytes} bytes` : `${(bytes / 1_000).toFixed(1)} kB`;
    const facts = [response.status, response.statusText, '·', Math.round(performance.now() - started), 'ms ·', size];
    show(form, facts.join(' '), response.ok, formatted(text), response);
  } catch (error) {
    show(form, `No response: ${error instanceof Error ? error.message : error}`, false, '');
  }
  button.disabled = false;
}

function show(form: HTMLFormElement, result: string, isOk: boolean, body: string, response?: Response): void {
  one('.result', form).textContent = result;
  one('.result', form).className = `result ${isOk ? 'up' : 'down'}`;
  one('.meaning', form).textContent = response && !isOk ? meaningOf(form, response, body) : '';
  const shown = HEADERS.filter((name) => response?.headers.has(name));
  one('dl', form).replaceChildren(
    ...shown.flatMap((name) => [element('dt', name), element('dd', response?.headers.get(name) ?? '')]),
  );
  const more = body.length - MAX_CHARACTERS;
  one('.body', form).textContent = body.slice(0, MAX_CHARACTERS) + (more > 0 ? `\n… ${more} more characters` : '');
}

function element(name: string, text: string): HTMLElement {
  return Object.assign(document.createElement(name), { textContent: text });
}

/** What the reference says about the code of an error, and when the next request is allowed. */
function meaningOf(form: HTMLFormElement, { status, headers }: Response, body: string): string {
  const [, code = ''] = /"code": "(\w+)"/.exec(body) ?? [];
  const rows = [form, document].flatMap((root) => all(`[data-error^="${status} "]`, root));
  const row = rows.find(({ dataset }) => dataset.error === `${status} ${code}`) ?? rows[0];
  const seconds = headers.get('Retry-After');
  return `${row?.lastElementChild?.textContent ?? ''} ${seconds ? `Run it again in ${seconds} seconds.` : ''}`;
}

function formatted(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** Required fields get the first markets, their tokens, the first event and the snapshot before the newest. */
async function fillLiveValues(): Promise<void> {
  const read = async (path: string) => {
    const response = await fetch(path, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (!response.ok) throw new Error(`${path} returned ${response.status}`);
    return await response.json();
  };
  try {
    const [status, markets] = await Promise.all([
      read('/api/status'),
      read('/api/markets?limit=50&fields=id,question,clobTokenId,eventSlug'),
    ]);
    const [first, second = first] = markets;
    const [q] = first.question.match(/\p{L}+/gu)?.sort((a: string, b: string) => b.length - a.length) ?? [];
    const slug = markets.find(({ eventSlug }: { eventSlug?: string }) => eventSlug)?.eventSlug;
    const since = status.previousSnapshot ?? status.snapshot;
    const live = { id: first.id, token_id: first.clobTokenId, since, slug, q };
    for (const [name, value] of Object.entries(live))
      for (const field of all<HTMLInputElement>(`input[name="${name}"][required]`))
        if (value && field.value === field.defaultValue)
          field.value = 'list' in field.dataset ? [...new Set([value, second.clobTokenId])].join() : value;
  } catch {
    one('#notice').textContent = 'The service has no data now: the values of the forms are invented examples.';
  }
  forms.forEach(showSamples);
}

function choose(language: string): void {
  for (const button of all('[data-language]')) button.ariaPressed = String(button.dataset.language === language);
  for (const sample of all('[data-sample]')) sample.hidden = sample.dataset.sample !== language;
}

async function copy(button: HTMLElement): Promise<void> {
  const [sample] = all('[data-sample]:not([hidden])', button.closest('form') ?? document);
  await navigator.clipboard.writeText(sample?.textContent ?? '');
  button.textContent = 'Copied';
  setTimeout(() => Object.assign(button, { textContent: 'Copy' }), 2_000);
}

function filter(text: string): void {
  const words = text.toLowerCase().split(/\s+/);
  const items = all('#contents [data-words]');
  for (const item of items) item.hidden = !words.every((word) => item.dataset.words?.includes(word));
  const matches = items.filter(({ hidden }) => !hidden).length;
  one('#matches').textContent = text.trim() && `${matches} ${matches === 1 ? 'match' : 'matches'}`;
}

for (const form of forms) {
  form.addEventListener('input', () => showSamples(form));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void run(form);
  });
}
document.addEventListener('click', ({ target }) => {
  const pressed = (target as Element).closest<HTMLElement>('button, #contents a');
  if (pressed?.matches('a')) one('#contents').hidePopover();
  if (pressed?.dataset.language) choose(pressed.dataset.language);
  if (pressed?.matches('[data-copy]')) void copy(pressed);
});
one('#filter').addEventListener('input', ({ target }) => filter((target as HTMLInputElement).value));

/** The menu marks the article that crosses a line in the upper part of the window. */
const observer = new IntersectionObserver(
  (entries) => {
    const id = entries.find(({ isIntersecting }) => isIntersecting)?.target.id;
    const links = id === undefined ? [] : all<HTMLAnchorElement>('#contents a');
    for (const link of links) link.ariaCurrent = link.hash === `#${id}` ? 'location' : null;
  },
  { rootMargin: '-20% 0% -80%' },
);
for (const article of all('article')) observer.observe(article);
void fillLiveValues();
