import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { List } from '../state/list.ts';
import { showsEvents, showsToday, type View } from '../state/view.ts';
import { EventHead } from './event-head.tsx';
import { EventList } from './event-list.tsx';
import { FoundEvents } from './found-events.tsx';
import { MarketTable } from './market-table.tsx';
import { Summary } from './summary.tsx';
import { Today } from './today.tsx';
import { Toolbar } from './toolbar.tsx';

/** What all parts of the list show. */
interface ListProps {
  /** The view of the shown rows. Those of the address arrive later. */
  readonly view: View;
  readonly list: List;
  /** The open market: id or slug. */
  readonly open: string | undefined;
}

/** The list of a view, with the controls and the summary above it. */
export function ListSection(
  props: ListProps & {
    /** An open market covers the list. Keyboard and screen readers cannot reach it then. */
    readonly covered: boolean;
    readonly children: ComponentChildren;
  },
) {
  const { covered, children, ...list } = props;
  const { view } = list;
  // If an address opens a market on a phone, the list is drawn when the reader closes the market.
  const [isDrawn, setDrawn] = useState(!covered);
  useEffect(() => {
    if (!covered) setDrawn(true);
  }, [covered]);
  return (
    <section class="list" aria-label={showsEvents(view) ? 'Events' : 'Markets'} inert={covered}>
      {isDrawn && <Toolbar view={view} />}
      {isDrawn && view.event && <OneEvent {...list} slug={view.event} />}
      {isDrawn && !view.event && <Entries {...list} />}
      {children}
    </section>
  );
}

/** An event with its outcomes. An event without open markets has only a sentence. */
function OneEvent({ view, list, open, slug }: ListProps & { readonly slug: string }) {
  const { content } = list;
  const isEmpty = content?.markets.length === 0;
  return (
    <>
      {!isEmpty && <EventHead slug={slug} content={content} />}
      {/* The summary is below the head, whose height is unknown before the markets arrive. */}
      {content && !isEmpty && <Summary view={view} list={list} />}
      {content && <MarketTable {...list} view={view} open={open} />}
    </>
  );
}

/** The markets or events of a tab or a search. */
function Entries({ view, list, open }: ListProps) {
  const { content, state } = list;
  const found = view.query && content && content.total > 0 ? content : undefined;
  // Before a search responds, its events are unknown, and so is the place of the rows.
  const hasPlace = content !== undefined || !view.query;
  return (
    <>
      {showsToday(view) && (content || state === 'loading') && <Today />}
      <Summary view={view} list={list} />
      {/* Events have no probability to filter by. */}
      {found && !view.chance && <FoundEvents content={found} />}
      {showsEvents(view) && <EventList list={list} />}
      {!showsEvents(view) && hasPlace && <MarketTable {...list} view={view} open={open} />}
    </>
  );
}
