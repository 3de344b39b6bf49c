import type { Page } from '../state/list.ts';
import { orderOf, type Shown, showsEvents } from '../state/shown.ts';
import { CopyButton } from './copy.tsx';
import { Link } from './link.tsx';

/** Number of entries, order, API call. @param props.of what the rows belong to */
export function Summary(props: { readonly of: Shown; readonly page: Page | undefined }) {
  const { of, page } = props;
  return (
    <div class="summary">
      <p aria-live="polite">
        {page ? <Sentence of={of} total={page.total} /> : 'Loading …'}
        {of.query && (
          <>
            {' '}
            <Link class="plain" to={{ query: '' }}>
              Show all
            </Link>
          </>
        )}
      </p>
      {page && (
        <CopyButton
          text={`curl -s '${page.url}'`}
          label="Copy as curl: the API call behind this list"
          name="Copy as curl"
        />
      )}
    </div>
  );
}

function Sentence({ of, total }: { readonly of: Shown; readonly total: number }) {
  const { query, event, sort, category } = of;
  const noun = `${showsEvents(of) ? 'event' : event ? 'outcome' : 'market'}${total === 1 ? '' : 's'}`;
  const where = `${query && !event ? ` for “${query}”` : ''}${category ? ` in ${category}` : ''}`;
  return (
    <>
      <b>
        {total.toLocaleString('en')} {noun}
      </b>
      {where}
      {sort || total === 0 ? '' : `, ${orderOf(of)}`}
    </>
  );
}
