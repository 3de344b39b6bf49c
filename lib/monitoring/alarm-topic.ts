import { Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import { acknowledge } from '../nag/acknowledge.ts';

export interface AlarmTopicProps {
  /** Gets a message to confirm first. */
  readonly email: string;
}

/**
 * Where alarms go. It has a key of its own (1 USD a month): CloudWatch may not use the key that AWS keeps for SNS, and
 * its messages would be lost without a word.
 */
export class AlarmTopic extends Construct {
  readonly topic: ITopic;

  constructor(scope: Construct, id: string, props: AlarmTopicProps) {
    super(scope, id);
    const key = new Key(this, 'Key', {
      description: 'Encrypts the alarm messages',
      enableKeyRotation: true,
      pendingWindow: Duration.days(7),
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const cloudWatch = new ServicePrincipal('cloudwatch.amazonaws.com');
    const ofThisAccount = { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } };
    key.addToResourcePolicy(
      new PolicyStatement({
        sid: 'AlarmsOfThisAccount',
        principals: [cloudWatch],
        actions: ['kms:Decrypt', 'kms:GenerateDataKey*'],
        resources: ['*'],
        conditions: ofThisAccount,
      }),
    );
    const topic = new Topic(this, 'Topic', { masterKey: key, enforceSSL: true });
    // A topic with a policy of its own has lost the one that lets its account publish.
    topic.addToResourcePolicy(
      new PolicyStatement({
        sid: 'AlarmsOfThisAccount',
        principals: [cloudWatch],
        actions: ['sns:Publish'],
        resources: [topic.topicArn],
        conditions: ofThisAccount,
      }),
    );
    topic.addSubscription(new EmailSubscription(props.email));
    acknowledge(topic, {
      'Serverless-SNSRedrivePolicy':
        'An e-mail that does not arrive has no use for a queue; the alarm is still seen in the console.',
    });
    this.topic = topic;
  }
}
