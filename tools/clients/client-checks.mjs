// Checks the promises of the installed client package, in Node.js: client-checks.mjs <address of
// the service>. Ends with an error at the first promise that is broken.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { createClient } from 'market-data-proxy-client';

const [, , service] = process.argv;
const { createClient: required } = createRequire(import.meta.url)('market-data-proxy-client');

/**
 * A server whose responses do not end. `/endless` sends headers and the start of a body, others
 * none.
 */
const broken = createServer(
  ({ url }, response) => url.startsWith('/endless') && response.writeHead(200).write('['),
);
await new Promise((resolve) => broken.listen(0, '127.0.0.1', resolve));
/** A client of that server. */
const brokenClient = (path, timeoutMs) =>
  createClient({
    baseUrl: `http://127.0.0.1:${broken.address().port}/${path}`,
    retries: 0,
    timeoutMs,
  });

const checks = {
  'reads the service, also through require()': async () => {
    for (const create of [createClient, required]) {
      const client = create({ baseUrl: service });
      const { data, response } = await client.markets({ limit: 5 });
      assert.equal(data.length, 5);
      assert.match(response.headers.get('link'), /offset=5.*rel="next"/);
    }
  },
  'rejects with the reason of the caller who aborts a body': async () => {
    const reason = new Error('enough');
    const abort = new AbortController();
    setTimeout(() => abort.abort(reason), 50);
    await assert.rejects(brokenClient('endless').status({ signal: abort.signal }), reason);
  },
  'ends a request that gets no response': () =>
    assert.rejects(brokenClient('silent', 50).status(), { name: 'TimeoutError' }),
  'ends a request whose body does not end': () =>
    assert.rejects(brokenClient('endless', 50).status(), { name: 'TimeoutError' }),
};
for (const [name, check] of Object.entries(checks)) {
  await check();
  console.log(`${process.version}: the client ${name}`);
}
process.exit();
