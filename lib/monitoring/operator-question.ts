import type { AlarmRow } from './alarm-row.ts';
import type { Section } from './dashboard-section.ts';
import type { Monitored } from './monitored.ts';
import type { ServiceMetricReader } from './service-metrics.ts';

/** A question that the operator asks: what tells them unasked, and what they look at. */
export interface OperatorQuestion {
  alarms(monitored: Monitored, metrics: ServiceMetricReader): AlarmRow[];
  section(monitored: Monitored, metrics: ServiceMetricReader): Section;
}
