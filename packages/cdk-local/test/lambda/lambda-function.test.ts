import { afterEach, expect, it } from '@jest/globals';
import type { FunctionDefinition } from '../../src/lambda/function-definition.ts';
import { invokeAsynchronously } from '../../src/lambda/invoke-asynchronously.ts';
import { type Invocation, LambdaFunction } from '../../src/lambda/lambda-function.ts';

const started: LambdaFunction[] = [];
const lines: string[] = [];

function lambdaFunction(
  source: string,
  options: { maxContainers?: number } & Partial<FunctionDefinition> = {},
): LambdaFunction {
  const { maxContainers, ...definition } = options;
  const target = new LambdaFunction(
    {
      id: 'Fn',
      name: 'fn',
      arn: 'arn',
      memoryMb: 64,
      timeoutMs: 3_000,
      module: `data:text/javascript,${encodeURIComponent(source)}`,
      handler: 'handler',
      environment: {},
      asyncRetries: 2,
      asyncMaxAgeMs: 60_000,
      ...definition,
    },
    { ...(maxContainers === undefined ? {} : { maxContainers }), onLine: (line) => lines.push(line) },
  );
  started.push(target);
  return target;
}

afterEach(async () => {
  await Promise.all(started.splice(0).map((target) => target.close()));
  lines.length = 0;
});

function payloads(invocations: readonly Invocation[]): unknown[] {
  return invocations.map((invocation) =>
    invocation.ok ? JSON.parse(invocation.payload) : invocation.error.errorMessage,
  );
}

const COUNTS = `
  import { threadId } from 'node:worker_threads';
  let calls = 0, running = 0;
  export const handler = async (event) => {
    running += 1; calls += 1;
    await new Promise((resolve) => setTimeout(resolve, 30));
    running -= 1;
    return { threadId, calls, running };
  };`;

it('invocations one after the other share a container', async () => {
  const target = lambdaFunction(COUNTS);
  const first = payloads([await target.invoke('{}')]);
  const second = payloads([await target.invoke('{}')]);
  expect(first).toMatchObject([{ calls: 1 }]);
  expect(second).toMatchObject([{ calls: 2 }]);
  expect(target.containers).toBe(1);
});

it('invocations at once start containers up to the bound, then wait, and never meet in one', async () => {
  const target = lambdaFunction(COUNTS, { maxContainers: 2 });
  const results = await Promise.all(Array.from({ length: 6 }, () => target.invoke('{}')));
  expect(target.containers).toBe(2);
  expect(payloads(results)).toEqual(Array(6).fill(expect.objectContaining({ running: 0 })));
});

it('a container that is killed ends its invocation, and the next one starts another', async () => {
  const target = lambdaFunction(
    `let n = 0; export const handler = (event) => { n += 1; return event.hang ? new Promise(() => {}) : n; };`,
  );
  await target.invoke('{}');
  const killed = target.invoke('{"hang":true}');
  await target.kill();
  expect(await killed).toMatchObject({ ok: false, error: { errorType: 'Runtime.ExitError' } });
  expect(payloads([await target.invoke('{}')])).toEqual([1]);
});

it('an error of the handler is an outcome, and the container lives on', async () => {
  const target = lambdaFunction(
    `let n = 0; export const handler = () => { n += 1; if (n === 1) throw new TypeError('no'); return n; };`,
  );
  expect(await target.invoke('{}')).toMatchObject({
    ok: false,
    error: { errorType: 'TypeError', errorMessage: 'no' },
  });
  expect(await target.invoke('{}')).toMatchObject({ ok: true, payload: '2' });
});

it.each([
  ['ends the process', 'process.exit(7)', 'exit status 7'],
  [
    'leaves a promise rejected',
    `Promise.reject(new Error('left alone')); await new Promise(() => {})`,
    'left alone',
  ],
  [
    'runs out of memory',
    `const all = []; for (;;) all.push(new Array(1e5).fill(Math.random()))`,
    'Out of memory',
  ],
])(
  'a handler that %s loses its container, and the next invocation gets another',
  async (_name, crash, message) => {
    const target = lambdaFunction(
      `let n = 0; export const handler = async (event) => { n += 1; if (event.crash) { ${crash} } return n; };`,
    );
    await target.invoke('{}');
    expect(await target.invoke('{"crash":true}')).toMatchObject({
      ok: false,
      error: { errorMessage: expect.stringContaining(message) },
    });
    expect(await target.invoke('{}')).toMatchObject({ ok: true, payload: '1' });
  },
);

it('a handler that takes too long is ended, even in a busy loop', async () => {
  const target = lambdaFunction('export const handler = (event) => { while (event.busy); return 1; };', {
    timeoutMs: 150,
  });
  expect(await target.invoke('{"busy":true}')).toMatchObject({
    ok: false,
    error: { errorMessage: 'Task timed out after 0.15 seconds' },
  });
  expect(await target.invoke('{}')).toMatchObject({ ok: true });
});

it.each([
  ['a bundle that throws', `throw new Error('bad bundle')`, 'bad bundle'],
  ['a bundle without the handler', 'export const other = 1;', 'handler is not a function'],
])('%s is an outcome of every invocation', async (_name, source, message) => {
  const target = lambdaFunction(source);
  for (let call = 0; call < 2; call += 1) {
    expect(await target.invoke('{}')).toMatchObject({
      ok: false,
      error: { errorMessage: expect.stringContaining(message) },
    });
  }
});

it('results travel as JSON: undefined is null, and what cannot be written is an error', async () => {
  const target = lambdaFunction('export const handler = ({ big }) => (big ? { n: 1n } : undefined);');
  expect(await target.invoke('{}')).toMatchObject({ ok: true, payload: 'null' });
  expect(await target.invoke('{"big":true}')).toMatchObject({
    ok: false,
    error: { errorType: 'Runtime.MarshalError' },
  });
});

it('output comes line by line, before the result', async () => {
  const target = lambdaFunction(`export const handler = () => {
    process.stdout.write('{"a":1}\\n{"b"'); process.stdout.write(':2}\\n'); console.error('oops'); };`);
  await target.invoke('{}');
  expect(lines).toEqual(['{"a":1}', '{"b":2}', 'oops']);
});

it('an asynchronous invocation that fails is attempted again as often as the function says', async () => {
  const source =
    "let n = 0; export const handler = () => { n += 1; if (n < 3) throw new Error('attempt ' + n); return n; };";
  const attempts: string[] = [];
  const options = {
    retryDelaysMs: [1],
    signal: new AbortController().signal,
    onFailure: (invocation: Invocation & { ok: false }, final: boolean) =>
      attempts.push(`${invocation.error.errorMessage} ${final}`),
  };
  expect(await invokeAsynchronously(lambdaFunction(source), '{}', options)).toMatchObject({
    ok: true,
    payload: '3',
  });
  expect(
    await invokeAsynchronously(lambdaFunction(source, { asyncRetries: 0 }), '{}', options),
  ).toMatchObject({ ok: false });
  expect(attempts).toEqual(['attempt 1 false', 'attempt 2 false', 'attempt 1 true']);
});
