import { RemovalPolicy } from 'aws-cdk-lib';
import { ApiKey, type IApiKey } from 'aws-cdk-lib/aws-apigateway';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import type { Stage } from '../config/stages.ts';
import { acknowledge } from '../nag/acknowledge.ts';

/** Letters and digits of the key; API Gateway wants 20 at least. */
const KEY_LENGTH = 40;

/**
 * A key that the front door sends for anonymous callers. Secrets Manager makes its value up, and CloudFormation
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
        'It authenticates the front door, so it has to change in CloudFront first and leave the API last: two deployments, not a rotation by the clock.',
    });
    this.value = secret.secretValue.unsafeUnwrap();
    this.apiKey = new ApiKey(this, 'Key', {
      description: 'Sent by the front door for anonymous callers',
      value: this.value,
    });
  }
}

/** The public keys of a stage: one, or two while the key is being replaced (docs/security.md). */
export class PublicKeys {
  /** By the names that the stage gives them. */
  readonly byName: ReadonlyMap<string, PublicKey>;
  /** The one that is sent: the last. */
  readonly current: PublicKey;

  constructor(scope: Construct, { publicKeys }: Stage) {
    this.byName = new Map(publicKeys.map((name) => [name, new PublicKey(scope, idOf(name))]));
    const current = this.byName.get(publicKeys.at(-1) ?? '');
    if (!current) throw new Error('A stage needs a public key');
    this.current = current;
  }

  /** The ids of all of them, with commas between. */
  get ids(): string {
    return [...this.byName.values()].map(({ apiKey }) => apiKey.keyId).join(',');
  }
}

/** Each name has logical ids of its own, so that no key takes another's place when one is left out. */
function idOf(name: string): string {
  return name === '1' ? 'PublicKey' : `PublicKey${name}`;
}
