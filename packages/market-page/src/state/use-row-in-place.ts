import { useLayoutEffect, useRef } from 'preact/hooks';

/**
 * Keeps the reader's place. A market that opens beside the list makes the list narrower and higher,
 * so this scrolls until its row, or else the first row in view, is where it was.
 *
 * @param market the open market, as the path names it; undefined if none is open
 */
export function useRowInPlace(market: string | undefined): void {
  const last = useRef(market);
  const before = useRef<{ readonly row: Element; readonly top: number }>(undefined);
  if (last.current !== market) {
    // This render has not changed the rows yet.
    before.current = anchorOf(market ?? last.current ?? '');
    last.current = market;
  }
  useLayoutEffect(() => {
    const { row, top } = before.current ?? {};
    if (row?.isConnected && top !== undefined) scrollBy(0, row.getBoundingClientRect().top - top);
    before.current = undefined;
  }, [market]);
}

/** The link of the row that must keep its place, and where it is. */
function anchorOf(market: string): { readonly row: Element; readonly top: number } | undefined {
  const path = `/market/${encodeURIComponent(market)}`;
  const inView = [...document.querySelectorAll<HTMLAnchorElement>('.markets tr .link')]
    .map((row) => ({ row, top: row.getBoundingClientRect().top }))
    .filter(({ top }) => top >= 0 && top < innerHeight);
  return inView.find(({ row }) => row.pathname === path) ?? inView[0];
}
