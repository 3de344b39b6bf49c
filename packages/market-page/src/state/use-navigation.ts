/**
 * The reader's way through the page. Each view is an entry in the browser's history, and the page
 * remembers how far each entry was scrolled.
 */
import { listen, useEvents } from './browser.ts';
import { addressOf, listKey, readView, type View } from './view.ts';

/** The state that the browser keeps with an entry of its history. */
interface Entry {
  /** Identifies the entry. */
  readonly key: number;
  /** Markets opened one after the other from the list; 0 if an address opened the first. */
  readonly depth: number;
}

/** Where the reader is: the view, and the position in the page. */
interface Place {
  readonly view: View;
  readonly entry: Entry;
  /** Pixels from the top; undefined in a new entry. */
  readonly y: number | undefined;
}

/** Keys count up from the time of loading, so that they differ from those before a reload. */
let lastKey = Date.now();
const newKey = () => ++lastKey;
const entryNow = () => (history.state as Entry | null) ?? { key: newKey(), depth: 0 };
/** Pixels from the top by key of the entry. */
const scrolls = new Map<number, number>();
const changes = new EventTarget();
/** Undefined until the first call of `currentPlace`. */
let place: Place | undefined;

/** The place in view. The first call reads the address and begins to follow Back and Forward. */
function currentPlace(): Place {
  if (place) return place;
  const view = readView(location.href);
  const entry = entryNow();
  history.scrollRestoration = 'manual';
  // Old addresses name a market in the query.
  history.replaceState(entry, '', addressOf(view));
  listen(window, ['popstate'], () => {
    leave();
    const back = entryNow();
    arrive({ view: readView(location.href), entry: back, y: scrolls.get(back.key) });
  });
  place = { view, entry, y: undefined };
  return place;
}

/** Remembers how far the place in view is scrolled. */
function leave(): void {
  scrolls.set(currentPlace().entry.key, scrollY);
}

/** Shows another place. */
function arrive(next: Place): void {
  place = next;
  changes.dispatchEvent(new Event('change'));
}

/** Goes to a view. @param replace replaces the browser's entry, as during typing */
export function go(to: Partial<View>, replace = false): void {
  const before = currentPlace();
  const view = { ...before.view, ...to };
  const next = {
    key: replace ? before.entry.key : newKey(),
    depth: depthAfter(before, view),
  };
  leave();
  if (replace) history.replaceState(next, '', addressOf(view));
  else history.pushState(next, '', addressOf(view));
  arrive({ view, entry: next, y: undefined });
}

/**
 * The depth of the next entry. A market is one deeper if the reader has come to it from its list.
 *
 * | from              | to a market of the same list | to anything else |
 * | ----------------- | ---------------------------- | ---------------- |
 * | a list            | 1                            | 0                |
 * | a market, depth n | n + 1                        | 0                |
 * | a market, depth 0 | 0: no entry shows its list   | 0                |
 */
function depthAfter({ view: before, entry }: Place, view: View): number {
  const isSameList = listKey(before) === listKey(view);
  const cameFromList = !before.market || entry.depth > 0;
  return view.market && isSameList && cameFromList ? entry.depth + 1 : 0;
}

/** Goes back to the list that the market was opened from, so that Back does not open it again. */
export function closeMarket(): void {
  const { depth } = currentPlace().entry;
  if (depth > 0) history.go(-depth);
  else go({ market: undefined }, true);
}

/** Where the reader is, updated with each change. */
export function usePlace(): Place {
  return useEvents(changes, ['change'], currentPlace);
}
