import { Construct } from 'constructs';
import { AlarmTopic } from './alarm-topic.ts';
import { Alarms } from './alarms.ts';
import type { Monitored } from './monitored.ts';
import { MonthlyBudget } from './monthly-budget.ts';
import { SavedQueries } from './saved-queries.ts';
import { ServiceDashboard } from './service-dashboard.ts';

/** What the person on call sees: docs/runbook.md begins where this ends. */
export class Monitoring extends Construct {
  readonly dashboardUrl: string;
  readonly alarms: Alarms;

  constructor(scope: Construct, id: string, monitored: Monitored) {
    super(scope, id);
    const { alarmEmail: email, monthlyBudgetUsd: usd } = monitored.stage;
    const topic = email ? new AlarmTopic(this, 'AlarmTopic', { email }).topic : undefined;
    this.alarms = new Alarms(this, 'Alarms', { monitored, topic });
    this.dashboardUrl = new ServiceDashboard(this, 'Dashboard', { monitored, alarms: this.alarms.all }).url;
    new SavedQueries(this, 'Queries', { monitored });
    if (usd > 0) new MonthlyBudget(this, 'MonthlyBudget', { usd, email });
  }
}
