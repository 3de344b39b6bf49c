import type { IMetric } from 'aws-cdk-lib/aws-cloudwatch';

/** An alarm as data. */
export interface AlarmRow {
  /** Names the alarm and its section of docs/runbook.md, by its anchor. */
  readonly id: string;
  /** What has happened, in one sentence. */
  readonly happened: string;
  readonly metric: IMetric;
  /** @default at least the threshold */
  readonly breaches?: 'at least' | 'more than' | 'less than';
  readonly threshold: number;
  /** How many of the last periods must breach. */
  readonly periods: readonly [breaching: number, outOf: number];
  /** What a period without any value is taken for. */
  readonly missing: 'breaching' | 'notBreaching';
}
