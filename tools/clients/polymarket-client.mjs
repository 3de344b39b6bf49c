/** Reads a book and its prices with @polymarket/clob-client-v2, only its host changed: `… BASE_URL TOKEN`. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';

const [folder, base, token] = process.argv.slice(2);
const { Chain, ClobClient, PriceHistoryInterval, Side } = await import(
  `${folder}/node_modules/@polymarket/clob-client-v2/dist/index.js`
);
const client = new ClobClient({ host: `${base}/api/clob`, chain: Chain.POLYGON });
const book = await client.getOrderBook(token);
const bid = Number(book.bids.at(-1).price);
const ask = Number(book.asks.at(-1).price);
assert.equal(book.asset_id, token);
assert.equal(
  createHash('sha1')
    .update(JSON.stringify({ ...book, hash: '' }))
    .digest('hex'),
  book.hash,
);
const near = (actual, expected) => assert.ok(Math.abs(actual - expected) < 1e-6, `${actual} ${expected}`);
near(Number((await client.getPrice(token, Side.BUY)).price), bid);
near(Number((await client.getPrice(token, Side.SELL)).price), ask);
near(Number((await client.getMidpoint(token)).mid), (bid + ask) / 2);
near(Number((await client.getSpread(token)).spread), ask - bid);
assert.equal((await client.getLastTradePrice(token)).side, '');
assert.equal(Number(await client.getTickSize(token)), Number(book.tick_size));
assert.equal(await client.getNegRisk(token), book.neg_risk);
const interval = PriceHistoryInterval.ONE_WEEK;
const { history } = await client.getPricesHistory({ market: token, interval, fidelity: 60 });
assert.ok(history.length > 100, `${history.length} points`);
assert.match((await client.getOrderBook('123')).error, /order book/);
console.log('10 calls');
