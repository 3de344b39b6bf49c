import { Stack } from 'aws-cdk-lib';
import { type Alarm, AlarmStatusWidget, Dashboard, PeriodOverride } from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import { callerSection } from './callers.ts';
import { costSection } from './cost.ts';
import { heading } from './dashboard-section.ts';
import { dataSection } from './data.ts';
import type { Monitored } from './monitored.ts';
import { ServiceMetricReader } from './service-metrics.ts';
import { upstreamSection } from './upstream.ts';

export interface ServiceDashboardProps {
  readonly monitored: Monitored;
  readonly alarms: readonly Alarm[];
}

/** Answers, from top to bottom: is the data fresh, are callers served, is the upstream well, what does it cost. */
export class ServiceDashboard extends Construct {
  /** Of the console, for whoever may look. */
  readonly url: string;

  constructor(scope: Construct, id: string, props: ServiceDashboardProps) {
    super(scope, id);
    const { monitored, alarms } = props;
    const metrics = new ServiceMetricReader(monitored.stage.name);
    const dashboard = new Dashboard(this, 'Dashboard', {
      // Each graph has the period of what it shows, whatever time one looks at.
      periodOverride: PeriodOverride.INHERIT,
    });
    dashboard.addWidgets(
      new AlarmStatusWidget({ title: 'Alarms (docs/runbook.md)', alarms: [...alarms], width: 24, height: 3 }),
    );
    const sections = [
      dataSection(monitored, metrics),
      callerSection(monitored, metrics),
      upstreamSection(monitored, metrics),
      costSection(monitored),
    ];
    for (const section of sections) {
      dashboard.addWidgets(heading(section));
      for (const row of section.rows) dashboard.addWidgets(...row);
    }
    const { region } = Stack.of(this);
    this.url = `https://${region}.console.aws.amazon.com/cloudwatch/home?region=${region}#dashboards/dashboard/${dashboard.dashboardName}`;
  }
}
