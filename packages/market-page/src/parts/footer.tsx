import { useSimulated } from '../state/status.ts';

/** The address of the source code, which build.ts sets; empty if unknown. */
declare const SOURCE_URL: string;

/** The foot of the page. It is inert while a market covers it. */
export function Footer({ inert }: { readonly inert: boolean }) {
  const isSimulated = useSimulated();
  return (
    <footer inert={inert}>
      <p>
        {isSimulated === false ? (
          <>
            The active markets of <a href="https://polymarket.com">Polymarket</a>
          </>
        ) : (
          `${isSimulated ? 'Simulated' : 'Active'} markets`
        )}
        , read once a minute by Market Data Proxy, an open source service that is not affiliated
        with Polymarket.
      </p>
      <p>
        Every number comes from the <a href="/docs">public API</a>, which needs no key. For agents:{' '}
        <a href="/llms.txt">llms.txt</a>.
        {SOURCE_URL && (
          <>
            {' '}
            <a href={SOURCE_URL}>Source code</a>.
          </>
        )}
      </p>
    </footer>
  );
}
