import { describe, expect, it } from '@jest/globals';
import { problemOf, unreachable } from '../../local/upstream-check.ts';
import { hang, reset, send, startStubUpstream } from '../support/stub-upstream.ts';

const stub = await startStubUpstream();
const { host } = new URL(stub.url);

describe('problemOf', () => {
  it.each([
    ['a list', send({ markets: [] }), undefined],
    ['404', send({ error: 'No orderbook' }, 404), undefined],
    ['503', send('', 503), 'responds with status 503'],
    ['403', send('<h1>Forbidden</h1>', 403), 'responds with status 403'],
  ])('of an upstream with %s', async (_, reply, problem) => {
    stub.reply(reply);
    expect(await problemOf(`${stub.url}/book`, 5_000)).toBe(problem && `${host} ${problem}`);
    expect(stub.requests[0]?.headers['user-agent']).toMatch(/^market-data-proxy\//);
  });

  it('of an upstream that breaks the connection, or does not respond', async () => {
    stub.reply(reset);
    expect(await problemOf(stub.url, 5_000)).toMatch(`cannot connect to ${host}`);
    stub.reply(hang);
    expect(await problemOf(stub.url, 1)).toBe(`${host} does not respond in time`);
  });
});

describe('unreachable', () => {
  it.each([
    ['ENOTFOUND', 'cannot resolve a.example'],
    ['EAI_AGAIN', 'cannot resolve a.example'],
    ['ECONNREFUSED', 'a.example refuses connections'],
    ['EHOSTUNREACH', 'cannot connect to a.example (EHOSTUNREACH)'],
  ])('says for %s: %s', (code, sentence) => {
    const error = new TypeError('fetch failed', { cause: Object.assign(new Error(), { code }) });
    expect(unreachable('a.example', error)).toBe(sentence);
  });

  it('has a sentence without a cause', () => {
    expect(unreachable('a.example', new Error('x'))).toBe('cannot connect to a.example');
  });
});
