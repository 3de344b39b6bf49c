import { createContext } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import { listen } from './browser.ts';
import { addressOf, readShown, type Shown } from './shown.ts';

export interface Navigation {
  readonly shown: Shown;
  /** @param replace replaces the history entry, as during typing */
  readonly go: (change: Partial<Shown>, replace?: boolean) => void;
}

/** Provided by `App`. */
export const NavigationContext = createContext<Navigation | undefined>(undefined);

export function useNavigation(): Navigation {
  const navigation = useContext(NavigationContext);
  if (!navigation) throw new Error('Outside the component App there is no navigation');
  return navigation;
}

/** The address's state, and a function that changes it. */
export function useAddress(): Navigation {
  const [shown, setShown] = useState(() => readShown(location.search));
  useEffect(() => listen(window, ['popstate'], () => setShown(readShown(location.search))), []);
  // Two changes before the next render both count, for example a search and a click.
  const latest = useRef(shown);
  latest.current = shown;
  const go: Navigation['go'] = (change, replace = false) => {
    const next = { ...latest.current, ...change };
    latest.current = next;
    history[replace ? 'replaceState' : 'pushState'](null, '', addressOf(next));
    setShown(next);
  };
  return { shown, go };
}
