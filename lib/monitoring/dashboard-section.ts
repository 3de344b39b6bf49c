import {
  Color,
  GraphWidget,
  type IMetric,
  type IWidget,
  LogQueryVisualizationType,
  LogQueryWidget,
  TextWidget,
} from 'aws-cdk-lib/aws-cloudwatch';

/** A question of the operator and the rows of widgets that settle it. */
export interface Section {
  readonly question: string;
  /** What it looks like when all is well. */
  readonly well: string;
  readonly rows: readonly (readonly IWidget[])[];
}

/** Three graphs stand side by side: a dashboard is 24 columns wide. */
const WIDTH = 8;
const HEIGHT = 6;

/** A line that must not be crossed. */
export interface Limit {
  readonly value: number;
  readonly label: string;
}

export interface GraphOptions {
  readonly stacked?: boolean;
  /** Metrics with an axis of their own, on the right. */
  readonly right?: readonly IMetric[];
  readonly limit?: Limit;
  /** Where the metrics are kept. @default the stack's region */
  readonly region?: string;
}

/** @param title the runbook names it */
export function graph(title: string, left: readonly IMetric[], options: GraphOptions = {}): GraphWidget {
  const { stacked = false, right = [], limit, region } = options;
  return new GraphWidget({
    title,
    width: WIDTH,
    height: HEIGHT,
    left: [...left],
    right: [...right],
    stacked,
    ...(region !== undefined && { region }),
    leftYAxis: { min: 0, showUnits: false },
    rightYAxis: { min: 0, showUnits: false },
    leftAnnotations: limit ? [{ ...limit, color: Color.RED }] : [],
  });
}

/**
 * A graph of what functions write into their log: it costs nothing but a fraction of a cent when somebody looks, where a
 * metric costs 0.30 USD a month whether or not.
 *
 * @param title the runbook names it
 */
export function figures(
  title: string,
  logGroupNames: readonly string[],
  lines: readonly string[],
): LogQueryWidget {
  return new LogQueryWidget({
    title,
    width: WIDTH,
    height: HEIGHT,
    logGroupNames: [...logGroupNames],
    queryLines: [...lines],
    view: LogQueryVisualizationType.LINE,
  });
}

export function heading({ question, well }: Section): TextWidget {
  return new TextWidget({ markdown: `## ${question}\n${well}`, width: 24, height: 2 });
}
