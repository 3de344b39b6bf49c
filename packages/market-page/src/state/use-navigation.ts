import { listen, useEvents } from './browser.ts';
import { addressOf, listKey, readShown, type Shown } from './shown.ts';

export interface Navigation {
  readonly shown: Shown;
  readonly go: typeof go;
}

/** What an entry of the browser's history remembers. */
interface Entry {
  readonly key: number;
  /** Markets that were opened one after the other from the list; 0 if the address of a market opened the page. */
  readonly depth: number;
}

interface Place {
  readonly shown: Shown;
  readonly entry: Entry;
  /** Pixels from the top where the reader was; undefined in an entry that is new. */
  readonly y: number | undefined;
}

let lastKey = Date.now();
const newKey = () => ++lastKey;
const scrolls = new Map<number, number>();
const changes = new EventTarget();
let place: Place | undefined;

/** The state in the browser's address. Old addresses, which name a market in the query, get their new form. */
export function currentPlace(): Place {
  if (place) return place;
  const shown = readShown(location.href);
  const entry = (history.state as Entry | null) ?? { key: newKey(), depth: 0 };
  history.scrollRestoration = 'manual';
  history.replaceState(entry, '', addressOf(shown));
  listen(window, ['popstate'], () => {
    leave();
    const back = (history.state as Entry | null) ?? { key: newKey(), depth: 0 };
    arrive({ shown: readShown(location.href), entry: back, y: scrolls.get(back.key) });
  });
  place = { shown, entry, y: undefined };
  return place;
}

function leave(): void {
  scrolls.set(currentPlace().entry.key, scrollY);
}

function arrive(next: Place): void {
  place = next;
  changes.dispatchEvent(new Event('change'));
}

/** @param replace replaces the entry in the browser's history, as during typing */
export function go(change: Partial<Shown>, replace = false): void {
  const { shown: before, entry } = currentPlace();
  const shown = { ...before, ...change };
  const sameList = listKey(before) === listKey(shown);
  const deeper = !before.market || entry.depth > 0 ? entry.depth + 1 : 0;
  const next = { key: replace ? entry.key : newKey(), depth: shown.market && sameList ? deeper : 0 };
  leave();
  history[replace ? 'replaceState' : 'pushState'](next, '', addressOf(shown));
  arrive({ shown, entry: next, y: undefined });
}

/** Closes the open market: back to the list that it was opened from, so that Back does not open it again. */
export function closeMarket(): void {
  const { depth } = currentPlace().entry;
  if (depth > 0) history.go(-depth);
  else go({ market: undefined }, true);
}

export function useNavigation(): Navigation {
  return { shown: usePlace().shown, go };
}

export function usePlace(): Place {
  return useEvents(changes, ['change'], currentPlace);
}
