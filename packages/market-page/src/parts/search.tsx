import { useEffect, useRef, useState } from 'preact/hooks';
import {
  QUERY_MAX_CHARACTERS,
  QUERY_MIN_CHARACTERS,
} from '../../../../lambda/core/contract/constants.ts';
import { go, usePlace } from '../state/use-navigation.ts';
import { NO_CHOICE } from '../state/view.ts';

/** The search begins when the reader has not typed for this time. */
const DEBOUNCE_MS = 300;

/** The search field. It searches while the reader types, and a newer search aborts an older one. */
export function Search() {
  const { query } = usePlace().view;
  const [text, setText] = useState(query);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // If the address gets a search that this field did not start, as with the back button, the field
  // shows it.
  const started = useRef(query);
  useEffect(() => {
    if (query !== started.current) {
      clearTimeout(timer.current);
      setText(query);
    }
    started.current = query;
  }, [query]);
  const search = (value: string) => {
    started.current = value;
    // A search replaces the one before, so that Back leads to the list before both.
    const replace = query !== '';
    go({ ...NO_CHOICE, query: value, market: undefined }, replace);
  };
  const type = (value: string) => {
    setText(value);
    clearTimeout(timer.current);
    if (!isTooShort(value)) timer.current = setTimeout(() => search(value.trim()), DEBOUNCE_MS);
  };
  return (
    <div class="search">
      <input
        type="search"
        placeholder="Search markets"
        aria-label="Search markets"
        maxLength={QUERY_MAX_CHARACTERS}
        value={text}
        onInput={(event) => type(event.currentTarget.value)}
      />
      {isTooShort(text) && <small>one more letter</small>}
    </div>
  );
}

/** Whether the service would refuse the text, because it is too short. */
function isTooShort(text: string): boolean {
  const { length } = text.trim();
  return length > 0 && length < QUERY_MIN_CHARACTERS;
}
