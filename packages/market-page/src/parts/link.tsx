import type { ComponentChildren } from 'preact';
import { addressOf, type Navigation, type Shown } from '../state/location.ts';

/** A view of the page as a true link: it can be opened in a tab of its own, copied, and shared. */
export function Link(props: {
  readonly navigation: Navigation;
  readonly to: Partial<Shown>;
  readonly class: string;
  /** Whether it is what is shown. */
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
