import {
  METRICS,
  type MetricName,
  SERVICE_DIMENSION,
  SHARED,
  SHARED_DIMENSION,
} from '../contract/metrics.ts';

/** What a line tells beside the values: the function, and the upstream where it is about one. */
export type LineFields = Readonly<Record<string, string>>;

/**
 * A line of the log in CloudWatch's embedded metric format: all values are its fields, and those that alarms look at
 * are told to be metrics as well.
 *
 * @param now ms since the epoch
 */
export function metricLine(
  namespace: string,
  now: number,
  fields: LineFields,
  values: ReadonlyMap<MetricName, number>,
): string {
  // A shared metric is told when it occurs: one that is told costs money, whatever its value.
  const names = [...values].flatMap(([name, value]) =>
    METRICS[name].kept === 'shared' && value === 0 ? [] : [name],
  );
  const directives = (['metric', 'shared'] as const).flatMap((kept) => {
    const metrics = names.filter((name) => METRICS[name].kept === kept);
    if (metrics.length === 0) return [];
    const dimension = kept === 'shared' ? SHARED_DIMENSION : SERVICE_DIMENSION;
    return [
      {
        Namespace: namespace,
        Dimensions: [[dimension]],
        Metrics: metrics.map((Name) => ({ Name, Unit: METRICS[Name].unit })),
      },
    ];
  });
  return JSON.stringify({
    _aws: { Timestamp: now, CloudWatchMetrics: directives },
    ...fields,
    ...(names.some((name) => METRICS[name].kept === 'shared') ? { [SHARED_DIMENSION]: SHARED } : {}),
    ...Object.fromEntries(values),
  });
}
