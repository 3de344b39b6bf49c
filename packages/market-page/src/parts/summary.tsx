import { type Shown, showsEvents, VIEWS } from '../state/shown.ts';
import type { Row } from '../state/use-lists.ts';
import type { Navigation } from '../state/use-navigation.ts';
import type { Paged } from '../state/use-pages.ts';
import { CopyCall } from './copy.tsx';
import { Link } from './link.tsx';

/** The number of entries, their order, and the API call of the list. */
export function Summary({
  navigation,
  list,
}: {
  readonly navigation: Navigation;
  readonly list: Pick<Paged<unknown>, 'rows' | 'total' | 'url'>;
}) {
  const { shown } = navigation;
  const [first] = list.rows as readonly Partial<Row>[];
  return (
    <div class="summary">
      <p aria-live="polite">
        {list.total === undefined ? '\u00a0' : <Sentence shown={shown} total={list.total} event={first?.eventTitle} />}
        {(shown.event || shown.query) && (
          <>
            {' '}
            <Link class="plain" navigation={navigation} to={{ event: undefined, query: '' }}>
              {shown.event && shown.view === 'events' ? 'All events' : 'Show all'}
            </Link>
          </>
        )}
      </p>
      {list.url && <CopyCall url={list.url} />}
    </div>
  );
}

function Sentence(props: { readonly shown: Shown; readonly total: number; readonly event: string | undefined }) {
  const { shown, total } = props;
  const { query, event, sort } = shown;
  const noun = `${showsEvents(shown) ? 'event' : 'market'}${total === 1 ? '' : 's'}`;
  const of = event ? ` of “${props.event ?? event}”` : query ? ` for “${query}”` : '';
  const order = sort
    ? ''
    : event
      ? ', most probable first'
      : query
        ? ', best match first'
        : `, ${VIEWS[shown.view].about}`;
  return (
    <>
      <b>
        {total.toLocaleString('en')} {noun}
      </b>
      {of}
      {order}
    </>
  );
}
