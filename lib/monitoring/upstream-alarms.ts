import type { AlarmRow } from './alarm-row.ts';
import { FIVE_MINUTES } from './monitored.ts';
import { type ServiceMetricReader, total } from './service-metrics.ts';

/** Is the upstream well? That it fails shows in the data's alarms; that it turns us away needs a person. */
export function upstreamAlarms(metrics: ServiceMetricReader): AlarmRow[] {
  const period = FIVE_MINUTES;
  return [
    {
      id: 'upstream-blocked',
      happened: 'The upstream turns us away (403, 429, 451): it has blocked us, or we ask too often.',
      metric: total(metrics.everyUpstream('UpstreamBlocked', { period }), 'Refused calls', period),
      threshold: 3,
      periods: [2, 3],
      missing: 'notBreaching',
    },
  ];
}
