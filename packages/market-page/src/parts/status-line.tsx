import { useEffect, useState } from 'preact/hooks';
import { useNow, useOnline } from '../state/browser.ts';
import { type Condition, conditionOf, type Known } from '../state/condition.ts';
import { useService } from '../state/service.ts';
import { WHOLE_LIST } from '../state/shown.ts';
import { useNavigation } from '../state/use-navigation.ts';
import { Link } from './link.tsx';

/** A slower response is a state of its own. */
const SLOW_MS = 900;
/** Two facts about one state can arrive separately; screen readers hear them once. */
const ANNOUNCE_AFTER_MS = 400;

/** What the page knows of its data. */
export type PageState = Pick<Known, 'asOf' | 'status'> & {
  /** Whether the page shows nothing yet. */
  readonly waits: boolean;
};

/** What the status line says now. The clock renders its callers alone, not the page, and only while they say something. */
function useCondition({ waits, ...others }: PageState): Condition | undefined {
  const online = useOnline();
  const slow = useDelayed(waits, SLOW_MS, false);
  const condition = conditionOf({ now: Date.now(), online, slow: slow && waits, ...useService(), ...others });
  useNow(condition ? 1_000 : 60_000);
  return condition;
}

/** The sentence of the status line for screen readers. It is always part of the page, so that they hear each change once. */
export function Announcer({ state }: { readonly state: PageState }) {
  const condition = useCondition(state);
  const text = condition ? `${condition.what} ${condition.next}` : '';
  return (
    <p class="unseen" role="status">
      {useDelayed(text, ANNOUNCE_AFTER_MS, '')}
    </p>
  );
}

function useDelayed<T>(value: T, ms: number, first: T): T {
  const [delayed, setDelayed] = useState(first);
  useEffect(() => {
    const timer = setTimeout(() => setDelayed(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return delayed;
}

/** The state of the page in words: what is known, how old it is, what happens next. Empty if all is well. */
export function StatusLine({ state, retry }: { readonly state: PageState; readonly retry: () => void }) {
  const condition = useCondition(state);
  const { shown } = useNavigation();
  if (!condition) return null;
  const { kind, what, age, next, wait, action } = condition;
  const words = shown.market?.replaceAll('-', ' ') ?? '';
  return (
    <div class="status" data-kind={kind}>
      <p>
        <b>{what}</b> {age} {next}
        {wait && `${wait}.`}
      </p>
      {action === 'search' && (
        <Link class="small" to={{ ...WHOLE_LIST, query: words }}>
          Search for it
        </Link>
      )}
      {action === 'all' && (
        <Link class="small" to={{ ...WHOLE_LIST, view: 'top' }}>
          Show all markets
        </Link>
      )}
      {action === 'retry' && (
        <button type="button" class="small" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}
