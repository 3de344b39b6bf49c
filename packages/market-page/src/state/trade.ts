/**
 * The result of a market order of `maxShares`: the shares that the levels have, and their price
 * in USD.
 *
 * @param levels of one side, best price first
 */
export function tradeOf(
  levels: readonly { readonly price: string; readonly size: string }[],
  maxShares: number,
): { readonly shares: number; readonly usd: number } {
  let shares = 0;
  let usd = 0;
  for (const { price, size } of levels) {
    const taken = Math.min(maxShares - shares, Number(size));
    shares += taken;
    usd += taken * Number(price);
  }
  return { shares, usd };
}
