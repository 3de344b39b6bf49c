import { RemovalPolicy } from 'aws-cdk-lib';
import { ApiKey, type IApiKey } from 'aws-cdk-lib/aws-apigateway';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { acknowledge } from '../nag/acknowledge.ts';

/** Letters and digits of the key; API Gateway wants 20 at least. */
const KEY_LENGTH = 40;

/**
 * The key that the front door sends for anonymous callers. Secrets Manager makes its value up, and CloudFormation
 * puts it where it is used at deployment: it is never in the template. It depends on neither the API nor its stage,
 * so that the functions behind the API can know its id.
 */
export class PublicKey extends Construct {
  readonly apiKey: IApiKey;
  /** A reference to the value; only for properties that CloudFormation resolves. */
  readonly value: string;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    const secret = new Secret(this, 'Value', {
      description: 'The public API key, sent by CloudFront in x-api-key',
      generateSecretString: { passwordLength: KEY_LENGTH, excludePunctuation: true },
      removalPolicy: RemovalPolicy.DESTROY,
    });
    acknowledge(secret, {
      'AwsSolutions-SMG4':
        'The key throttles and protects nothing; a rotation would have to change the key and the edge in one moment.',
    });
    this.value = secret.secretValue.unsafeUnwrap();
    this.apiKey = new ApiKey(this, 'Key', {
      description: 'Sent by the front door for anonymous callers',
      value: this.value,
    });
  }
}
