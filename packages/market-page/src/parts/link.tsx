import type { ComponentChildren } from 'preact';
import { addressOf, type Shown } from '../state/shown.ts';
import { useNavigation } from '../state/use-navigation.ts';

/** To a view of the page; a new tab works too. */
export function Link(props: {
  readonly to: Partial<Shown>;
  readonly class: string;
  /** The page shows this view. */
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
