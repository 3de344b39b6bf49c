import type { ComponentChildren } from 'preact';
import { addressOf, type Shown } from '../state/shown.ts';
import type { Navigation } from '../state/use-navigation.ts';

/** A link to a view of the page; the browser can also open it in a new tab. */
export function Link(props: {
  readonly navigation: Navigation;
  readonly to: Partial<Shown>;
  readonly class: string;
  /** Whether the page shows this view. */
  readonly current?: boolean;
  readonly children: ComponentChildren;
}) {
  const { navigation, to, current, children } = props;
  const open = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    navigation.go(to);
  };
  return (
    <a
      class={props.class}
      href={addressOf({ ...navigation.shown, ...to })}
      aria-current={current ? 'true' : undefined}
      onClick={open}
    >
      {children}
    </a>
  );
}
