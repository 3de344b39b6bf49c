import { useEffect, useRef, useState } from 'preact/hooks';
import { CATEGORIES, type Navigation, VIEWS, type View } from '../state/location.ts';

/** Long enough that a word is typed, short enough that nobody waits; 60 requests a minute stay far off. */
const DEBOUNCE_MS = 300;
const SHORTEST_QUERY = 2;

export function Toolbar({
  navigation,
  total,
}: {
  readonly navigation: Navigation;
  readonly total: number | undefined;
}) {
  const { shown, go } = navigation;
  return (
    <div class="toolbar">
      <Search navigation={navigation} />
      <nav class="chips" aria-label="Views">
        {(Object.keys(VIEWS) as View[]).map((view) => (
          <Chip
            key={view}
            on={shown.view === view && !shown.query && !shown.event}
            pick={() => go({ view, query: '', event: undefined, sort: undefined, order: undefined })}
          >
            {VIEWS[view].label}
          </Chip>
        ))}
      </nav>
      <nav class="chips" aria-label="Categories">
        <Chip on={!shown.category} pick={() => go({ category: undefined })}>
          All
        </Chip>
        {CATEGORIES.map((category) => (
          <Chip key={category} on={shown.category === category} pick={() => go({ category })}>
            {category}
          </Chip>
        ))}
        <span class="total" aria-live="polite">
          {shown.event && (
            <>
              Event “{shown.event}”{' '}
              <button type="button" class="link" onClick={() => go({ event: undefined })}>
                show all
              </button>{' '}
            </>
          )}
          {total !== undefined && `${total.toLocaleString('en')} markets`}
        </span>
      </nav>
    </div>
  );
}

function Chip(props: {
  readonly on: boolean;
  readonly pick: () => void;
  readonly children: preact.ComponentChildren;
}) {
  return (
    <button type="button" class="chip" aria-pressed={props.on} onClick={props.pick}>
      {props.children}
    </button>
  );
}

function Search({ navigation: { shown, go } }: { readonly navigation: Navigation }) {
  const [text, setText] = useState(shown.query);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // What the address says replaces what is typed only when somebody else changed it, as by going back.
  const own = useRef(shown.query);
  useEffect(() => {
    if (shown.query !== own.current) setText(shown.query);
    own.current = shown.query;
  }, [shown.query]);
  const type = (value: string) => {
    setText(value);
    clearTimeout(timer.current);
    const query = value.trim();
    if (query.length > 0 && query.length < SHORTEST_QUERY) return;
    timer.current = setTimeout(() => {
      own.current = query;
      go({ query, event: undefined, sort: undefined, order: undefined }, true);
    }, DEBOUNCE_MS);
  };
  return (
    <input
      type="search"
      class="search"
      placeholder="Search markets"
      aria-label="Search markets"
      maxLength={200}
      value={text}
      onInput={(event) => type(event.currentTarget.value)}
    />
  );
}
