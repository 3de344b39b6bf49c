import { Component, type ComponentChildren, type FunctionComponent } from 'preact';

/**
 * A component that renders again only when one of its properties is another value, like `memo` of
 * React, which Preact has only in its larger package `preact/compat`.
 */
export function memo<P extends object>(
  render: (props: P) => ComponentChildren,
): FunctionComponent<P> {
  class Memo extends Component<P> {
    override shouldComponentUpdate(next: Readonly<P>): boolean {
      const before: Readonly<P> = this.props;
      return (Object.keys(next) as (keyof P)[]).some((name) => next[name] !== before[name]);
    }
    override render(props: P): ComponentChildren {
      return render(props);
    }
  }
  return Memo as unknown as FunctionComponent<P>;
}
