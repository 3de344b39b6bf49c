import { Construct } from 'constructs';
import { alarmTopics } from './alarm-topic.ts';
import { createAlarms } from './alarms.ts';
import type { Monitored } from './metrics.ts';
import { addMonthlyBudget } from './monthly-budget.ts';
import { SavedQueries } from './saved-queries.ts';
import { serviceAlarms } from './service-alarms.ts';
import { ServiceDashboard } from './service-dashboard.ts';

export class Monitoring extends Construct {
  readonly dashboardUrl: string;
  readonly alarmTopicArn: string | undefined;
  readonly alarms: Construct;

  constructor(scope: Construct, id: string, monitored: Monitored, runbookUrl: string) {
    super(scope, id);
    const topics = alarmTopics(this, monitored.stage);
    this.alarmTopicArn = topics.email?.topicArn;
    this.alarms = new Construct(this, 'Alarms');
    const alarms = createAlarms(this.alarms, { rows: serviceAlarms(monitored), runbookUrl, topics });
    this.dashboardUrl = new ServiceDashboard(this, 'Dashboard', monitored, alarms).url;
    new SavedQueries(this, 'Queries', monitored);
    addMonthlyBudget(this, monitored.stage);
  }
}
