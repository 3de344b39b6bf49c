/**
 * The SNS topics to which alarms are sent: one for emails, which we create, and the operator's
 * own for a pager.
 */
import { Stack } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import { acknowledge } from '../acknowledge.ts';
import type { StageConfig } from '../config/stage-config.ts';
import type { AlarmTopics } from './alarms.ts';

/** The topics that alarms notify. Leaves out a pager of another region: an alarm cannot use it. */
export function alarmTopics(
  scope: Construct,
  { alarmEmail, alarmTopicArn }: StageConfig,
): AlarmTopics {
  // An ARN is `arn:aws:sns:<region>:<account>:<name>`.
  const pagerRegion = alarmTopicArn?.split(':')[3];
  return {
    email:
      alarmEmail === undefined ? undefined : new AlarmTopic(scope, 'AlarmTopic', alarmEmail).topic,
    pager:
      alarmTopicArn !== undefined && pagerRegion === Stack.of(scope).region
        ? Topic.fromTopicArn(scope, 'PagerTopic', alarmTopicArn)
        : undefined,
  };
}

/** The topic of the alarm emails. AWS asks the address to confirm first. */
class AlarmTopic extends Construct {
  readonly topic: ITopic;

  constructor(scope: Construct, id: string, email: string) {
    super(scope, id);
    const topic = new Topic(this, 'Topic', { enforceSSL: true });
    // A topic with its own policy lacks the default one, which lets the account publish.
    topic.addToResourcePolicy(
      new PolicyStatement({
        sid: 'AlarmsOfThisAccount',
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [topic.topicArn],
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
      }),
    );
    topic.addSubscription(new EmailSubscription(email));
    acknowledge(topic, {
      'AwsSolutions-SNS2': 'The text of an alarm is not secret; a key costs 1 USD a month.',
    });
    this.topic = topic;
  }
}
