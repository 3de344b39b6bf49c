import { Construct } from 'constructs';
import { alarmTopics } from './alarm-topic.ts';
import { createAlarms } from './alarms.ts';
import type { Monitored } from './metrics.ts';
import { addMonthlyBudget } from './monthly-budget.ts';
import { addSavedQueries } from './saved-queries.ts';
import { createDashboard } from './service-dashboard.ts';

/** The alarms and their topics, the dashboard, the saved queries and the budget of a stage. */
export class Monitoring extends Construct {
  readonly dashboardUrl: string;
  readonly alarmTopicArn: string | undefined;

  constructor(scope: Construct, id: string, monitored: Monitored, runbookUrl: string) {
    super(scope, id);
    const topics = alarmTopics(this, monitored.stage);
    this.alarmTopicArn = topics.email?.topicArn;
    const alarms = createAlarms(new Construct(this, 'Alarms'), monitored, topics, runbookUrl);
    this.dashboardUrl = createDashboard(this, monitored, alarms);
    addSavedQueries(new Construct(this, 'Queries'), monitored);
    addMonthlyBudget(this, monitored.stage);
  }
}
