import { Copy } from './copy.tsx';

/** The very calls behind what is shown, for a terminal. */
export function ApiCalls({ id, token }: { readonly id: string; readonly token: string }) {
  const calls = [
    `/api/markets/${id}`,
    `/api/clob/prices-history?token_id=${token}&interval=1w`,
    `/api/clob/order-book?token_id=${token}&depth=10`,
  ];
  return (
    <details>
      <summary>API calls behind this view</summary>
      <ul class="calls">
        {calls.map((path) => (
          <li key={path}>
            <Copy text={`curl -s '${location.origin}${path}'`} label="as curl" />
          </li>
        ))}
      </ul>
    </details>
  );
}
