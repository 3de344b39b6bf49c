import type { Status } from 'market-data-proxy-client';
import { age } from '../format.ts';
import icon from '../icon.svg';
import { useAge } from '../state/browser.ts';
import { useService } from '../state/service.ts';

/** The page warns below this many requests, because two screens of scrolling need them. */
const LOW_REQUESTS = 10;

/** Moves the focus to the first entry of the list, past many stops of the Tab key. */
function skipToList(): void {
  document.querySelector<HTMLElement>('.markets tbody .link, .list > .events .link')?.focus();
}

/** The head of the page: its name, the age of the prices, and what is unusual. */
export function Header(props: {
  readonly asOf: Date | undefined;
  readonly status: Status | undefined;
  readonly inert: boolean;
}) {
  const { asOf, status, inert } = props;
  const { requestsLeft, requestsAllowed } = useService().limit;
  const seconds = useAge(asOf);
  const freshSeconds = status?.freshForSeconds ?? Number.POSITIVE_INFINITY;
  const isOld = seconds !== undefined && seconds > freshSeconds;
  return (
    <header inert={inert}>
      <button type="button" class="skip" onClick={skipToList}>
        Skip to the list
      </button>
      <a class="brand" href="/">
        <img src={icon} alt="" width="24" height="24" />
        <h1>
          Prediction markets{' '}
          {status?.simulated === false && <small class="roomy">of Polymarket</small>}
        </h1>
      </a>
      <p class="state">
        {status?.simulated && (
          <span
            class="badge warn"
            title="The simulated upstream of npm start invented these prices"
          >
            simulated<span class="roomy"> data</span>
          </span>
        )}
        <span class={`badge ${isOld ? 'warn' : ''}`} data-age title={asOf?.toLocaleString()}>
          <span class="roomy">prices </span>
          {seconds === undefined ? '…' : `${age(seconds)} old`}
        </span>
        {requestsLeft !== undefined && requestsLeft > 0 && requestsLeft < LOW_REQUESTS && (
          <span
            class="badge warn"
            data-left
            title="Requests that this address may still make in a minute"
          >
            {requestsLeft} <span class="roomy">of {requestsAllowed} </span>requests left
          </span>
        )}
      </p>
      <a class="reference" href="/docs">
        API
      </a>
    </header>
  );
}
