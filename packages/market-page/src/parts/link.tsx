import type { ComponentChildren } from 'preact';
import { addressOf, type Shown } from '../state/shown.ts';
import { useNavigation } from '../state/use-navigation.ts';

/** A link to a view of the page; the browser can also open it in a new tab. */
export function Link(props: {
  readonly to: Partial<Shown>;
  readonly class: string;
  /** Whether the page shows this view. */
  readonly current?: boolean;
  readonly children: ComponentChildren;
}) {
  const { to, current, children } = props;
  const { shown, go } = useNavigation();
  return (
    <a
      class={props.class}
      href={addressOf({ ...shown, ...to })}
      aria-current={current ? 'true' : undefined}
      onClick={(event) => follow(event, () => go(to))}
    >
      {children}
    </a>
  );
}

/** Shows the view in this page, unless the reader asked the browser for another tab. */
export function follow(event: MouseEvent, show: () => void): void {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  show();
}
