import type { ComponentChildren } from 'preact';
import { useSimulated } from '../state/status.ts';
import { go, usePlace } from '../state/use-navigation.ts';
import { addressOf, type View } from '../state/view.ts';

/**
 * A link to another view of the page. The browser can also open it in a new tab.
 *
 * @param props.to what differs from the present view
 */
export function Link(props: {
  readonly to: Partial<View>;
  readonly class: string;
  readonly current?: boolean;
  readonly children: ComponentChildren;
}) {
  const { to, current, children } = props;
  const { view } = usePlace();
  return (
    <a
      class={props.class}
      href={addressOf({ ...view, ...to })}
      aria-current={current ? 'true' : undefined}
      onClick={(event) => follow(event, to)}
    >
      {children}
    </a>
  );
}

/** Shows the view in this page, unless the reader asked the browser for another tab. */
export function follow(event: MouseEvent, to: Partial<View>): void {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  go(to);
}

/** The same market or event at Polymarket, which has none of the simulated ones. */
export function PolymarketLink({ href }: { readonly href: string }) {
  return useSimulated() === false ? <a href={href}>Polymarket ↗</a> : null;
}
