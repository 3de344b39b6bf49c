import { Copy } from './copy.tsx';

/** The API calls whose data is shown, for a terminal. */
export function ApiCalls({ urls }: { readonly urls: readonly (string | undefined)[] }) {
  const calls = urls.flatMap((url) => (url === undefined ? [] : [url]));
  return (
    <details class="calls" open>
      <summary class="muted">API calls behind this view</summary>
      <ul>
        {calls.map((url) => (
          <li key={url}>
            <Copy text={`curl -s '${url}'`} label={`Copy as curl: ${new URL(url).pathname}`} />
          </li>
        ))}
      </ul>
    </details>
  );
}
