import { CLOCK_SKEW_REPORTED_SECONDS } from '../../contract/constants.ts';
import { UPSTREAM_NAMES, UPSTREAMS, type UpstreamName } from '../../contract/upstreams.ts';
import { type Fact, finding } from '../fact.ts';
import { UntestableError } from '../untestable-error.ts';

const BLOCKED: readonly number[] = [401, 403, 429, 451];

/** What every upstream has to be like; looked at last, in the responses to all the other questions. */
export const MANNERS_FACTS: readonly Fact[] = UPSTREAM_NAMES.flatMap(
  (upstream) =>
    [
      {
        upstream,
        fact: 'lets this address in',
        grade: 'B',
        severity: UPSTREAMS[upstream].standby ? 'degrades' : 'stops',
        otherwise: 'another region, or a word with the operator of the upstream, is needed',
        look: async ({ probe }) => {
          const responses = probe.responses.filter((response) => response.upstream === upstream);
          if (responses.length === 0) return finding(false, 'no response at all');
          const blocked = responses.filter(({ status }) => BLOCKED.includes(status));
          const statuses = [...new Set(blocked.map(({ status }) => status))].join(', ');
          return finding(
            blocked.length === 0,
            blocked.length === 0 ? `${responses.length} responses` : statuses,
          );
        },
      },
      {
        upstream,
        fact: 'responds in half of its time-out',
        grade: 'B',
        severity: 'degrades',
        otherwise: 'runs take longer, live responses time out',
        look: async ({ probe }) => {
          const times = timesOf(probe.responses, upstream);
          const median = times[Math.floor(times.length / 2)];
          if (median === undefined) throw new UntestableError('no response at all');
          return finding(
            median <= UPSTREAMS[upstream].timeoutMs / 2,
            `median ${median} ms, greatest ${times.at(-1)} ms`,
          );
        },
      },
    ] satisfies Fact[],
).concat({
  upstream: 'clob',
  fact: 'its clock agrees with this one',
  grade: 'B',
  severity: 'degrades',
  otherwise: 'the age of the data is told wrong; the clock here is usually the one to mend',
  look: async ({ probe }) => {
    const skews = probe.responses.flatMap(({ upstream, headers, at }) => {
      const date = Date.parse(headers.get('date') ?? '');
      return upstream !== 'clob' || Number.isNaN(date) || headers.has('age') ? [] : [at - date];
    });
    if (skews.length === 0) throw new UntestableError('no response tells the time');
    const skew = Math.min(...skews) / 1_000;
    return finding(Math.abs(skew) <= CLOCK_SKEW_REPORTED_SECONDS, `${skew.toFixed(1)} s ahead`);
  },
});

function timesOf(responses: readonly { upstream: UpstreamName; ms: number }[], name: UpstreamName): number[] {
  return responses
    .filter(({ upstream }) => upstream === name)
    .map(({ ms }) => ms)
    .sort((a, b) => a - b);
}
