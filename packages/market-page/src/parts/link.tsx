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
  const open = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    go(to);
  };
  return (
    <a
      class={props.class}
      href={addressOf({ ...shown, ...to })}
      aria-current={current ? 'true' : undefined}
      onClick={open}
    >
      {children}
    </a>
  );
}
