/** What each part of the benchmark means, and what the limit is where a goal is missed. */
const EXPLANATIONS: Readonly<Record<string, string>> = {
  list: `An event as API Gateway makes it, the response encoded as Lambda encodes it. The constant string is the floor: nothing
can respond with the same bytes in less. With the per-IP limit, one write of DynamoDB runs concurrently with the endpoint;
the bare \`UpdateItem\` is that write without anything around it. The item-per-market design is what most services of this
kind do: a Query of 500 items, decoded and encoded for each request. The distance from the constant string is the page itself:
its lines are put together and its ETag is made from its content for each request.`,
  query: `Orders and columns are made once a snapshot, for the first request that wants them: a request fills a mask and walks along
an order. Each request is for another page, since one that was asked for a moment ago is remembered.`,
  search: `Seven queries of every kind: one word, several, a prefix, a misspelling, a category, nothing found. The scan looks for every
word in every question, forgives no misspelling and ranks nothing. A search takes a fifth of a millisecond, so what surrounds
it (parameters, headers, the ETag) weighs as much as the search itself.`,
  cold: `CPU time of the whole process, from its start to the first encoded response, beside an empty ESM handler. A profile of
list-markets: compiling the bundle, of which the AWS SDK is two thirds, takes a quarter; the modules of Node.js that the
SDK needs (crypto, https, zlib, streams) a fifth; garbage collection and source maps, kept for readable traces, 6 % each.
Left out of the bundles is what a function never uses: credential providers, event streams, and the fetch implementation
and HTTP/2 that an import of \`node:http\` as an ES module brings along. What is left is the price of the SDK; the goals
want a client written by hand, which is not worth its maintenance here.`,
  bundles: `The AWS SDK for one service takes about 180 KB minified and the logger and metrics 33 KB: a reader of a table cannot be
below 200 KB without giving one of them up. It is loaded once a container.`,
  takeover: `What a container does every minute: it asks for the pointer, reads the snapshot's numbers, and puts them beside the texts
that it holds.`,
  refresh: `The deployed bundle of the refresher in a process of its own, with the empty table's first crawl in it; a catalogue page
takes 1.1 s, a history call 0.5 s, a call for midpoints 0.3 s.`,
  book: `Both over HTTP, both before the same upstream on this machine. Callers who ask for the same book at the same moment share one
call to the upstream.`,
  http: 'Reported for orientation: on AWS the gateway is not a process beside the function.',
  growth: 'A slope of 1 is linear growth, 0 is none. A page is cut from lines that were encoded once.',
  cost: 'From the model in [costs.md](costs.md), which says where each price and each unit comes from.',
};

export function explanationOf(part: string): string {
  return EXPLANATIONS[part] ?? '';
}
