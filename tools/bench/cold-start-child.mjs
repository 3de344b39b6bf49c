// One cold start: loads BENCH_MODULE, calls its handler with BENCH_EVENT, and prints the CPU time
// until the response is encoded. Plain JavaScript, so that Node.js does not compile TypeScript.
const { BENCH_MODULE = '', BENCH_EVENT = '{}' } = process.env;
const { handler } = await import(BENCH_MODULE);
const result = await handler(JSON.parse(BENCH_EVENT), { awsRequestId: 'bench' });
const response = JSON.stringify(result);
const { user, system } = process.cpuUsage();
const figures = {
  cpuMs: (user + system) / 1_000,
  status: result.statusCode,
  bytes: response.length,
};
process.stdout.write(`\n${JSON.stringify(figures)}\n`, () => process.exit(0));
