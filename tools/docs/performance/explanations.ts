/** What each part of the benchmark means, and what the limit is where a goal is missed. */
const EXPLANATIONS: Readonly<Record<string, string>> = {
  list: `An event as API Gateway makes it, the response encoded as Lambda encodes it. The constant string is the floor: nothing
can respond with the same bytes in less. A page is made once for each snapshot and query, and remembered with its ETag; what is
left to do for a request is to read its parameters and headers. With the per-IP limit, one write of DynamoDB runs concurrently with the
endpoint; the bare \`UpdateItem\`, sent by the AWS SDK, is that write without anything around it. The item-per-market design is
what most services of this kind do: a Query of 500 items, decoded and encoded for each request. It takes some 22 ms here, the floor of
a constant response 0.8: beyond 27 times nothing could be.`,
  query: `Orders and columns are made once a snapshot, for the first request that wants them: a request fills a mask and walks along
an order. Each request is for another page, since one that was asked for a moment ago is remembered.`,
  search: `Seven queries of every kind: one word, several, a prefix, a misspelling, a category, nothing found. The scan looks for every
word in every question, forgives no misspelling and ranks nothing. The goal beside the bare index is out of reach: a search
with its results encoded takes 50 microseconds, and what surrounds it 75 (a profile: half of it the parameters, headers and links of the
request, a fifth the SHA-256 of 9 KB for the ETag, the rest the page, and sorting all matches rather than the best 20, since they are
counted and may be filtered). The tag stays one of the content: who polls gets 304 over any number of snapshots. Listing the parameters
and links more sparingly was tried, and changed nothing that could be measured. Remembering results would hide that, and help few: callers search for different things.`,
  cold: `CPU time of the whole process, from its start to the first encoded response, beside an empty ESM handler. Neither the AWS
SDK ([ADR 22](adr/0022-own-dynamodb-client.md)) nor a logger or source maps ([ADR 29](adr/0029-nothing-before-it-is-needed.md)) are
loaded, and of a base nothing is read that the first response does not need ([ADR 28](adr/0028-lazy-base.md)). What is left, by a
profile of list-markets (130 ms), is about 30 ms starting Node.js, 15 loading crypto, HTTP and zlib, 15 compiling and running the bundle, 25 signing,
sending and reading nine small calls to DynamoDB, 10 collecting garbage, 5 taking over the base, and 8 writing a page of 500. The search
takes over its index of all texts, which is made with the base, and reads one chunk more. Of what get-openapi takes beyond an empty
handler most is the contract's tables, by which its parameters are read.`,
  bundles: `Minified, with all that a function loads. The largest parts of list-markets: the contract's routes and schemas 27 KB,
lru-cache 19, the snapshots 13, aws4 8. The AWS SDK for the same three calls took 190 KB. That of get-openapi holds the document
itself (156 KB), which the others have no part of.`,
  takeover: `What a container does every minute: it asks for the pointer, reads the snapshot's numbers, puts them beside the texts
that it holds, and writes the first page.`,
  refresh: `The deployed bundle of the refresher in a process of its own; a catalogue page takes 1.1 s, a history call 0.5 s, a call for
midpoints 0.3 s. The process is new and reads the previous snapshot and the memory of prices first; histories are known, as they are
in all but the first six runs. CPU time is what a page costs to read (a fifth is \`JSON.parse\`, a tenth unpacking gzip, a fifth
collecting garbage): 2,000 markets are 25 of them. Memory peaks when 16 pages arrive at once, each as bytes, as text and as
objects; some 60 MB of it are V8's young generation (\`--max-semi-space-size=4\` takes them off), and the function has 512 MB.`,
  book: `Both over HTTP, both before the same upstream on this machine. The proxy passes bytes on; we read the book, check it, sort it best
first, write it again and make its ETag: its upstream may send anything. The proxy forwards what its caller accepts, so that both get
gzip; ours unpacks it, the proxy leaves that to its caller. Callers who ask for the same book at the same
moment share one call to the upstream.`,
  others: `200 readers who want one book, from upstream's own client and from our function, before an upstream as slow as the real one.
\`@polymarket/client\` 0.2.0, pmxt-core 2.41.0 and ccxt 4.5.84 can be pointed at another upstream (\`forkEnvironmentConfig\`;
\`POLYMARKET_GAMMA_URL\` and the like; \`urls.api\` of \`ccxt.prediction.polymarket\`), and none gets the full list from this one: the
client gives up at the first market whose \`clobTokenIds\` are still empty, as upstream's are for minutes after it was made (on the
third page here); pmxt and ccxt ask \`/events\` by offset, which the simulator, like the documents of today, does not have, and ccxt gives
no book either before it has its list. None of them is a dependency of this project: \`BENCH_OTHERS\` names a folder with
\`npm install @polymarket/client@0.2.0\`; without it the last results stay.`,
  http: 'Reported for orientation: on AWS the gateway is not a process beside the function.',
  growth: `A slope of 1 is linear growth, 0 is none. A page is cut from lines that were encoded once; all pages are what a walk with
\`Link\` makes a function do. A container's first snapshot is taken over with its first page, the next ones are differences from it. Memory is
what a cache holds with all the snapshots it keeps, after a walk over all pages of each or a search for something common, of 1,024 MB
that the function has.`,
  cost: `From the model in [costs.md](costs.md), which says where each price and each unit comes from. Of a million requests 5.63 USD are
asked for each request whatever it carries (API Gateway 3.50, CloudFront 1.30, the write of the per-IP limit 0.63, Lambda 0.20); 2.55 are
the bytes to viewers, three quarters of them default pages of the list (71 KB gzipped), the rest time of functions and logs. A
smaller default page or \`edgeCache\` would reach the goal; a cheaper way to carry the same bytes there is not.`,
};

export function explanationOf(part: string): string {
  return EXPLANATIONS[part] ?? '';
}
