import type { Page } from '../state/list.ts';
import { type Shown, showsEvents, VIEWS } from '../state/shown.ts';
import type { Navigation } from '../state/use-navigation.ts';
import { CopyCall } from './copy.tsx';
import { Link } from './link.tsx';

/** The number of entries, their order, and the API call of the list. @param props.of what the rows belong to */
export function Summary(props: {
  readonly of: Shown;
  readonly page: Page | undefined;
  readonly navigation: Navigation;
}) {
  const { of, page, navigation } = props;
  return (
    <div class="summary">
      <p aria-live="polite">
        {page ? <Sentence of={of} total={page.total} /> : 'Loading …'}
        {of.query && (
          <>
            {' '}
            <Link class="plain" navigation={navigation} to={{ query: '' }}>
              Show all
            </Link>
          </>
        )}
      </p>
      {page && <CopyCall url={page.url} />}
    </div>
  );
}

function Sentence({ of, total }: { readonly of: Shown; readonly total: number }) {
  const { query, event, sort, category, view } = of;
  const noun = `${showsEvents(of) ? 'event' : event ? 'outcome' : 'market'}${total === 1 ? '' : 's'}`;
  const where = `${query && !event ? ` for “${query}”` : ''}${category ? ` in ${category}` : ''}`;
  const about = event ? 'most probable first' : query ? 'best match first' : VIEWS[view].about;
  return (
    <>
      <b>
        {total.toLocaleString('en')} {noun}
      </b>
      {where}
      {sort || total === 0 ? '' : `, ${about}`}
    </>
  );
}
