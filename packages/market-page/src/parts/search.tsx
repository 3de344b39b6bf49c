import { useEffect, useRef, useState } from 'preact/hooks';
import { listen } from '../state/browser.ts';
import { useNavigation } from '../state/use-navigation.ts';

/** After the last key. */
const DEBOUNCE_MS = 300;
const MIN_QUERY_CHARACTERS = 2;

/** A newer search aborts an older one. The key `/` moves the focus here. */
export function Search() {
  const { shown, go } = useNavigation();
  const [text, setText] = useState(shown.query);
  const field = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // Replaces the text only if something else changed the address, for example the back button.
  const own = useRef(shown.query);
  useEffect(() => {
    if (shown.query !== own.current) {
      clearTimeout(timer.current);
      setText(shown.query);
    }
    own.current = shown.query;
  }, [shown.query]);
  const slash = (event: KeyboardEvent) => {
    if (event.key !== '/' || event.target instanceof HTMLInputElement) return;
    event.preventDefault();
    field.current?.focus();
  };
  useEffect(() => listen(window, ['keydown'], slash), []);
  const search = (value: string) => {
    own.current = value;
    // The first letters are a new entry in the browser's history, so that Back leads to the list before the search.
    go({ query: value, event: undefined, market: undefined, sort: undefined, order: undefined }, shown.query !== '');
  };
  const type = (value: string) => {
    setText(value);
    clearTimeout(timer.current);
    const query = value.trim();
    if (query.length > 0 && query.length < MIN_QUERY_CHARACTERS) return;
    timer.current = setTimeout(() => search(query), DEBOUNCE_MS);
  };
  const short = text.trim().length > 0 && text.trim().length < MIN_QUERY_CHARACTERS;
  return (
    <div class="search">
      <input
        ref={field}
        type="search"
        placeholder="Search markets"
        aria-label="Search markets"
        aria-keyshortcuts="/"
        maxLength={200}
        value={text}
        onInput={(event) => type(event.currentTarget.value)}
      />
      {text === '' ? <small aria-hidden="true">press /</small> : short && <small>one more letter</small>}
    </div>
  );
}
