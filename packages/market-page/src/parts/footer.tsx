/** What the page is, for whoever reads to its end. */
export function Footer({ inert }: { readonly inert: boolean }) {
  return (
    <footer inert={inert}>
      <p>
        The active markets of <a href="https://polymarket.com">Polymarket</a>, read once a minute by the Market Data
        Proxy. This service is not affiliated with Polymarket. Nothing here is advice.
      </p>
      <p>
        All data of this page comes from its <a href="/docs">public API</a>, which programs can use without a key.
        Agents begin with <a href="/llms.txt">llms.txt</a>.
      </p>
    </footer>
  );
}
