import { useEffect, useRef, useState } from 'preact/hooks';
import type { Navigation } from '../state/location.ts';

/** Long enough that a word is typed, short enough that nobody waits; 60 requests a minute stay far off. */
const DEBOUNCE_MS = 300;
const SHORTEST_QUERY = 2;

/** Searches while one types: a request that a newer one overtakes is given up. `/` leads here from anywhere. */
export function Search({ navigation: { shown, go } }: { readonly navigation: Navigation }) {
  const [text, setText] = useState(shown.query);
  const field = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // What the address says replaces what is typed only when somebody else changed it, as by going back.
  const own = useRef(shown.query);
  useEffect(() => {
    if (shown.query !== own.current) {
      clearTimeout(timer.current);
      setText(shown.query);
    }
    own.current = shown.query;
  }, [shown.query]);
  useEffect(() => {
    const slash = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.target instanceof HTMLInputElement) return;
      event.preventDefault();
      field.current?.focus();
    };
    addEventListener('keydown', slash);
    return () => removeEventListener('keydown', slash);
  }, []);
  const search = (value: string) => {
    own.current = value;
    go({ query: value, event: undefined, sort: undefined, order: undefined }, true);
  };
  const type = (value: string) => {
    setText(value);
    clearTimeout(timer.current);
    const query = value.trim();
    if (query.length > 0 && query.length < SHORTEST_QUERY) return;
    timer.current = setTimeout(() => search(query), DEBOUNCE_MS);
  };
  return (
    <input
      ref={field}
      type="search"
      class="search"
      placeholder="Search markets"
      aria-label="Search markets"
      aria-keyshortcuts="/"
      maxLength={200}
      value={text}
      onInput={(event) => type(event.currentTarget.value)}
    />
  );
}
