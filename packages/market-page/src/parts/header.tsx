import type { Status } from 'market-data-proxy-client';
import { age } from '../format.ts';
import icon from '../icon.svg';
import { useNow } from '../state/browser.ts';
import { useService } from '../state/service.ts';

/** Warns below this: two screens of scrolling need as many. */
const LOW_REQUESTS = 10;

/** Title, age of the prices, simulation, remaining requests. */
export function Header(props: {
  readonly asOf: Date | undefined;
  readonly status: Status | undefined;
  readonly inert: boolean;
}) {
  const { asOf, status, inert } = props;
  const now = useNow(1_000);
  const { requestsLeft, requestsAllowed } = useService().limit;
  const seconds = asOf && Math.max(0, (now - asOf.getTime()) / 1_000);
  const old = seconds !== undefined && seconds > (status?.freshForSeconds ?? Number.POSITIVE_INFINITY);
  // Before the first response the badge keeps its space, so that nothing moves.
  const limited = asOf === undefined || requestsLeft !== undefined;
  return (
    <header inert={inert}>
      <a class="brand" href="/">
        <img src={icon} alt="" width="24" height="24" />
        <h1>
          Prediction markets <small>of Polymarket</small>
        </h1>
      </a>
      <p class="state">
        {status?.simulated && (
          <span class="badge warn simulated" title="The simulated upstream of npm start invented these prices">
            simulated data
          </span>
        )}
        <span class={`badge ${old ? 'warn' : ''}`} data-age title={asOf?.toLocaleString()}>
          {seconds === undefined ? 'prices …' : `prices ${age(seconds)} old`}
        </span>
        {limited && (
          <span
            class={`badge ${requestsLeft !== undefined && requestsLeft < LOW_REQUESTS ? 'warn' : ''}`}
            data-left
            title="Requests that this address may still make in a minute. This page uses some of them."
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
