import { DynamoDBClient, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { RATE_LIMIT_KEYS } from '../../../lambda/rate-limit/dynamodb-items.ts';
import { type BenchService, CONTEXT } from '../fixture/bench-service.ts';
import { addressOf, frontDoorEvent } from '../fixture/front-door-event.ts';
import { putMarkets } from '../fixture/item-per-market.ts';
import type { Figure } from '../harness/figure.ts';
import { paired, timesFaster } from '../harness/paired.ts';
import type { Part } from '../harness/part.ts';

const LIMIT = '500';

/** The warm list, from the event to the encoded result, against ever more of what else could be done. */
export const listPart: Part = {
  name: 'list',
  summary: 'warm list-markets, 500 of 2,000',
  quick: true,
  async run({ quick, service }) {
    const bench = await service();
    const event = (address = addressOf(1)) =>
      frontDoorEvent({
        path: '/api/markets',
        query: { limit: LIMIT },
        publicKeyId: bench.publicKeyId,
        sourceIp: address,
      });
    const free = await bench.load('list-markets', { REQUESTS_PER_MINUTE: 'off' });
    const first = await free(event(), CONTEXT);
    if (first.statusCode !== 200) throw new Error(`The list responded with ${first.statusCode}`);
    const constant = { ...first };
    const usual = event(); // made beforehand: Lambda hands it over
    const ours = async () => JSON.stringify(await free(usual, CONTEXT));
    const theirs = async () => JSON.stringify(await Promise.resolve(constant));
    const alone = await paired({ ours, theirs, rounds: quick ? 32 : 80, batch: 20, clock: 'cpu' });
    const common = { part: 'list', unit: 'ms' } as const;
    return [
      {
        ...common,
        what: '500 of 2,000 from memory',
        against: 'a handler that returns one constant string of the same size',
        ...alone,
        goal: { most: 1.2 },
      },
      await withWrite(bench, event, constant, quick),
      await againstQuery(ours, quick),
    ];
  },
};

async function withWrite(
  bench: BenchService,
  event: (address: string) => object,
  constant: object,
  quick: boolean,
): Promise<Figure> {
  const limited = await bench.load('list-markets');
  const table = bench.definition('list-markets').environment.RATE_LIMIT_TABLE ?? '';
  const client = new DynamoDBClient({});
  const update = (run: number) =>
    client.send(
      new UpdateItemCommand({
        TableName: table,
        Key: { [RATE_LIMIT_KEYS.partition]: { S: `bench ${run}` } },
        UpdateExpression: 'ADD #n :one',
        ExpressionAttributeNames: { '#n': 'count' },
        ExpressionAttributeValues: { ':one': { N: '1' } },
      }),
    );
  const figures = await paired({
    ours: async (run) => JSON.stringify(await limited(event(addressOf(run)), CONTEXT)),
    theirs: async (run) => {
      const [text] = await Promise.all([JSON.stringify(constant), update(run)]);
      return text;
    },
    rounds: quick ? 80 : 240,
  });
  client.destroy();
  return {
    part: 'list',
    unit: 'ms',
    what: 'with the per-IP limit',
    against: 'the constant string and a bare UpdateItem, same dynalite',
    ...figures,
    goal: { most: 1.2 },
  };
}

async function againstQuery(ours: () => Promise<string>, quick: boolean): Promise<Figure> {
  const markets = await putMarkets(ours);
  const figures = await paired({ ours, theirs: () => markets.list(Number(LIMIT)), rounds: quick ? 16 : 60 });
  markets.close();
  return {
    part: 'list',
    unit: 'ms',
    what: '500 of 2,000, times faster',
    against: 'one item per market, Query and encode per request, same dynalite',
    ...timesFaster(figures),
    goal: { least: 50 },
  };
}
