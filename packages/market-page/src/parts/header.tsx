import { age } from '../format.ts';
import { client } from '../state/api.ts';
import { useNow } from '../state/use-now.ts';
import { useRead } from '../state/use-read.ts';
import { useWeather } from './notices.tsx';

const STATUS_MS = 60_000;
/** The contract's limit; older prices are shown with a warning. */
const OLD_SECONDS = 150;
/** Below it the reader should know: two screens of scrolling use as many. */
const FEW_REQUESTS = 10;

/** What this is, how old it is, whether it is real, and how many requests are left. */
export function Header({ asOf, inert }: { readonly asOf: Date | undefined; readonly inert: boolean }) {
  const now = useNow(1_000);
  const { requestsLeft, requestsAllowed } = useWeather();
  const status = useRead('status', (signal) => client.status({ signal }), {
    everyMs: STATUS_MS,
  }).value?.data;
  const seconds = asOf && Math.max(0, (now - asOf.getTime()) / 1_000);
  const old = seconds !== undefined && seconds > OLD_SECONDS;
  // Its place is kept until the first response has told whether there is a limit.
  const limited = asOf === undefined || requestsLeft !== undefined;
  return (
    <header inert={inert}>
      <a class="brand" href="/">
        <img src="/assets/icon.svg" alt="" width="24" height="24" />
        <h1>Prediction markets</h1>
      </a>
      <p class="state">
        {status?.simulated && (
          <span class="badge warn simulated" title="Made up by the simulated upstream beside this service">
            simulated data
          </span>
        )}
        <span class={`badge ${old ? 'warn' : ''}`} data-age title={asOf?.toLocaleString()}>
          {seconds === undefined ? 'prices …' : `prices ${age(seconds)} old`}
        </span>
        {limited && (
          <span
            class={`badge ${requestsLeft !== undefined && requestsLeft < FEW_REQUESTS ? 'warn' : ''}`}
            data-left
            title="What the service allows this address in a minute. This page counts as one caller."
          >
            {requestsLeft ?? '…'} of {requestsAllowed ?? '…'} <span class="roomy">requests</span> left
          </span>
        )}
      </p>
      <a class="reference" href="/docs">
        API
      </a>
    </header>
  );
}
