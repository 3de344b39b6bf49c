import { Stack } from 'aws-cdk-lib';
import { type Alarm, AlarmStatusWidget, Dashboard, PeriodOverride } from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import { heading } from './dashboard-section.ts';
import type { Monitored } from './monitored.ts';
import { QUESTIONS } from './questions.ts';
import { ServiceMetricReader } from './service-metrics.ts';

export interface ServiceDashboardProps {
  readonly monitored: Monitored;
  readonly alarms: readonly Alarm[];
}

/** Settles, from top to bottom: is the data fresh, are callers served, is the upstream well, does AWS give us what we ask for, what does it cost. */
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
      new AlarmStatusWidget({
        title: `Alarms (${monitored.runbookUrl})`,
        alarms: [...alarms],
        width: 24,
        height: 3,
      }),
    );
    for (const question of QUESTIONS) {
      const section = question.section(monitored, metrics);
      dashboard.addWidgets(heading(section));
      for (const row of section.rows) dashboard.addWidgets(...row);
    }
    const { region } = Stack.of(this);
    this.url = `https://${region}.console.aws.amazon.com/cloudwatch/home?region=${region}#dashboards/dashboard/${dashboard.dashboardName}`;
  }
}
