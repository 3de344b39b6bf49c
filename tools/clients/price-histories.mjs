/** Prints the histories that a client of Polymarket reads: `… MODULE BASE_URL TOKEN QUERIES`. */
const [module, base, token, queries] = process.argv.slice(2);
const { Chain, ClobClient } = await import(module);
const host = `${base}/api/clob`;
// The first client takes its options one by one.
const chain = Chain.POLYGON;
const client = module.includes('/clob-client-v2/') ? new ClobClient({ host, chain }) : new ClobClient(host, chain);
const histories = [];
for (const query of JSON.parse(queries))
  histories.push((await client.getPricesHistory({ market: token, ...query })).history);
console.log(JSON.stringify(histories));
