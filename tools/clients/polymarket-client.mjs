// Calls the service with a client of Polymarket, only its host changed: polymarket-client.mjs MODULE BASE_URL UPSTREAM_URL TOKEN
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';

const [, , module, base, upstream, token] = process.argv;
const { Chain, ClobClient, Side } = await import(module);
const host = `${base}/api/clob`;
const chain = Chain.POLYGON;
// The first client takes positional options.
const client = module.includes('/clob-client-v2/') ? new ClobClient({ host, chain }) : new ClobClient(host, chain);
const sha1 = (text) => createHash('sha1').update(text).digest('hex');

const book = await client.getOrderBook(token);
assert.equal(book.asset_id, token);
assert.equal(sha1(JSON.stringify({ ...book, hash: '' })), book.hash);
assert.match((await client.getOrderBook('123')).error, /order book/);

const price = await client.calculateMarketPrice(token, Side.BUY, 0.001);
assert.ok(Math.abs(price - Number(book.asks.at(-1).price)) < 1e-6, `${price}`);

/** The upstream rejects default names of libraries. */
const readUpstream = async (path) =>
  (await fetch(`${upstream}${path}`, { headers: { 'user-agent': 'market-data-proxy-clients-test' } })).json();
const endTs = Math.floor(Date.now() / 1_000) - 86_400;
const startTs = endTs - 86_400;
const { history: clobPoints } = await readUpstream(`/prices-history?market=${token}&interval=1d&fidelity=60`);
const bucketPath = `/v2/prices-history?token_id=${token}&start=${startTs}&end=${endTs}&bucket_seconds=3600`;
const bucketPoints = (await readUpstream(bucketPath)).data.map(({ timestamp, price }) => ({ t: timestamp, p: price }));
await checkHistory({ interval: '1d', fidelity: 60 }, clobPoints);
await checkHistory({ startTs, endTs, fidelity: 60 }, bucketPoints);
for (const interval of ['1h', '6h', '1w', 'max']) {
  const { history } = await client.getPricesHistory({ market: token, interval });
  assert.ok(history.length > 1, interval);
}

async function checkHistory(query, expected) {
  const { history } = await client.getPricesHistory({ market: token, ...query });
  // The upstream adds the moment of the read, which differs.
  const shared = history.filter(({ t }) => expected.some((point) => point.t === t));
  assert.ok(shared.length > 15 && shared.length >= history.length - 2, JSON.stringify({ query, history, expected }));
  for (const { t, p } of shared) assert.equal(p, expected.find((point) => point.t === t).p);
}
