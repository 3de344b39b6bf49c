/**
 * A caller in `npm run test:deploy`, which deploys the stack to an emulator of AWS. The emulator
 * has one address. It finds the CloudFront distribution of a request by the header Host, which
 * `fetch` cannot set.
 */
import { createServer, request } from 'node:http';
import { listen } from '../../local/simulator/listen.ts';

/**
 * Starts an HTTP server in place of the public address of a distribution. It forwards requests to
 * the emulator as if the viewer (the caller) had sent them over HTTPS to this host.
 *
 * @param endpoint the address of the emulator
 * @param host the domain name of the distribution
 * @returns the address of the server, and a function that ends it
 */
export async function viewerSide(
  endpoint: string,
  host: string,
): Promise<{ url: string; close: () => void }> {
  const server = createServer((viewer, response) => {
    const headers = { ...viewer.headers, host, 'x-forwarded-proto': 'https' };
    const options = { method: viewer.method ?? 'GET', path: viewer.url ?? '/', headers };
    const forwarded = request(endpoint, options, (received) => {
      response.writeHead(received.statusCode ?? 502, received.headers);
      received.pipe(response);
    });
    forwarded.on('error', () => response.destroy());
    viewer.pipe(forwarded);
  });
  return { url: await listen(server, 0), close: () => void server.close().closeAllConnections() };
}
