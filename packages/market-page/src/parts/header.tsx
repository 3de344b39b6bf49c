import { age } from '../format.ts';
import { client } from '../state/api.ts';
import { useNow } from '../state/use-now.ts';
import { useRead } from '../state/use-read.ts';
import { useWeather } from './notices.tsx';

const STATUS_MS = 60_000;
/** The contract's limit; older prices are shown with a warning. */
const OLD_SECONDS = 150;

export function Header({ asOf }: { readonly asOf: Date | undefined }) {
  const now = useNow(1_000);
  const { requestsLeft } = useWeather();
  const status = useRead('status', (signal) => client.status({ signal }), STATUS_MS).value?.data;
  const seconds = asOf && Math.max(0, (now - asOf.getTime()) / 1_000);
  return (
    <header>
      <a class="brand" href="/">
        <img src="/assets/icon.svg" alt="" width="24" height="24" />
        <h1>Prediction markets</h1>
      </a>
      <p class="facts">
        {status?.simulated && (
          <span class="badge warn" title="Made up by the simulated upstream of this machine">
            simulated data
          </span>
        )}
        <span class={`badge ${seconds !== undefined && seconds > OLD_SECONDS ? 'warn' : ''}`} data-age>
          {seconds === undefined ? 'prices …' : `prices ${age(seconds)} old`}
        </span>
        <span
          class="badge"
          title="Each address may make 60 requests a minute; this page counts as one caller"
        >
          {requestsLeft ?? '–'} of 60 requests left
        </span>
        <a href="/docs">API</a>
      </p>
    </header>
  );
}
