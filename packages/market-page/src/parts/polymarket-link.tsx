import { useSimulated } from '../state/status.ts';

/** The same market or event at Polymarket, which has none of the simulated ones. */
export function PolymarketLink({ href }: { readonly href: string }) {
  return useSimulated() === false ? <a href={href}>Polymarket ↗</a> : null;
}
