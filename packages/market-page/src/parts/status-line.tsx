import type { Status } from 'market-data-proxy-client';
import { useEffect, useState } from 'preact/hooks';
import { useNow, useOnline } from '../state/browser.ts';
import { type Condition, conditionOf, type Known } from '../state/condition.ts';
import { useService } from '../state/service.ts';
import { useNavigation } from '../state/use-navigation.ts';
import { Link } from './link.tsx';

/** A slower response is a state of its own. */
const SLOW_MS = 900;
/** Two facts about one state can arrive separately; screen readers hear them once. */
const ANNOUNCE_AFTER_MS = 400;

/** @param waits whether the page shows nothing yet */
export function useCondition(
  known: Pick<Known, 'asOf' | 'changed'> & { readonly status: Status | undefined; readonly waits: boolean },
): Condition | undefined {
  const { waits, ...others } = known;
  useNow(1_000);
  const online = useOnline();
  const slow = useDelayed(waits, SLOW_MS, false);
  return conditionOf({ now: Date.now(), online, slow: slow && waits, ...useService(), ...others });
}

/** For screen readers. Always part of the page, so that they hear each change once. */
export function Announcer({ condition }: { readonly condition: Condition | undefined }) {
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

/** What is known, how old it is, what happens next. Empty in a healthy state. */
export function StatusLine(props: { readonly condition: Condition | undefined; readonly retry: () => void }) {
  const { condition, retry } = props;
  const { shown } = useNavigation();
  if (!condition) return null;
  const { kind, what, age, next, wait, action } = condition;
  const words = shown.market?.replaceAll('-', ' ') ?? '';
  return (
    <div class={`status ${kind}`} data-kind={kind}>
      <p>
        <b>{what}</b> {age} {next}
        {wait && `${wait}.`}
      </p>
      {action === 'search' && (
        <Link class="small" to={{ market: undefined, event: undefined, query: words }}>
          Search for it
        </Link>
      )}
      {(action === 'retry' || action === 'reload') && (
        <button type="button" class="small" onClick={retry}>
          {action === 'retry' ? 'Try again' : 'Show the new list'}
        </button>
      )}
    </div>
  );
}
