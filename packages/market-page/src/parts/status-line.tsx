/** The notice of the page: a sentence about trouble, on the page and for screen readers. */
import { slugWords } from '../format.ts';
import { useDelayed, useNow, useOnline } from '../state/browser.ts';
import { type Notice, type NoticeInput, noticeOf } from '../state/notice.ts';
import { useService } from '../state/service.ts';
import { usePlace } from '../state/use-navigation.ts';
import { WHOLE_LIST } from '../state/view.ts';
import { Link } from './link.tsx';

/** A response that takes longer is reported as slow. */
const SLOW_MS = 900;
/** Facts about one state can arrive apart. Screen readers hear them together, after this time. */
const ANNOUNCE_AFTER_MS = 400;

/** What the page itself knows of its state. */
export type PageState = Pick<NoticeInput, 'asOf' | 'status' | 'search'> & {
  /** Whether the page shows nothing yet. */
  readonly waits: boolean;
};

/**
 * The notice now, updated each second while there is one, so that its times count. Only the parts
 * that call this render again.
 */
function useNotice({ waits, ...others }: PageState): Notice | undefined {
  const online = useOnline();
  const slow = useDelayed(waits, SLOW_MS, false);
  const notice = noticeOf({
    now: Date.now(),
    online,
    slow: slow && waits,
    ...useService(),
    ...others,
  });
  // Renders again after this time in ms.
  useNow(notice ? 1_000 : 60_000);
  return notice;
}

/**
 * Says the notice to screen readers. It is always part of the page, so that they hear each change
 * once.
 */
export function Announcer({ state }: { readonly state: PageState }) {
  const notice = useNotice(state);
  const text = notice ? `${notice.what} ${notice.next}` : '';
  return (
    <p class="unseen" role="status">
      {useDelayed(text, ANNOUNCE_AFTER_MS, '')}
    </p>
  );
}

/** The notice of the page: what is known, how old it is, and what happens next. */
export function StatusLine({
  state,
  retry,
}: {
  readonly state: PageState;
  readonly retry: () => void;
}) {
  const notice = useNotice(state);
  const { market } = usePlace().view;
  if (!notice) return null;
  const { kind, what, age, next, wait, action } = notice;
  const words = slugWords(market ?? '');
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
        <Link class="small" to={WHOLE_LIST}>
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
