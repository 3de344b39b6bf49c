/**
 * The public API key. API Gateway applies a usage plan only to requests with a key, so
 * CloudFront adds this key to the requests of callers who have none.
 */
import { RemovalPolicy } from 'aws-cdk-lib';
import { ApiKey, type IApiKey } from 'aws-cdk-lib/aws-apigateway';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { acknowledge } from '../acknowledge.ts';
import type { StageConfig } from '../config/stage-config.ts';

/** The letters and digits of a key. API Gateway requires at least 20. */
const KEY_LENGTH = 40;

/**
 * One public key. Secrets Manager generates its value, so no template contains it. The key does not
 * depend on the API, because the API's functions need the key's id.
 */
export class PublicKey extends Construct {
  readonly apiKey: IApiKey;
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
        'A new key must reach CloudFront before the API drops the old one: two deployments, not a timed rotation.',
    });
    this.value = secret.secretValue.unsafeUnwrap();
    this.apiKey = new ApiKey(this, 'Key', {
      description: 'Sent by the front door for anonymous callers',
      value: this.value,
    });
  }
}

/** The public keys of a stage: one, or two while the operator replaces it (docs/security.md). */
export class PublicKeys {
  readonly byName: ReadonlyMap<string, PublicKey>;
  /** The key that CloudFront sends: the last one. */
  readonly current: PublicKey;

  constructor(scope: Construct, { publicKeys }: StageConfig) {
    const byName = new Map<string, PublicKey>();
    for (const name of publicKeys) {
      // Logical ids contain the name, so that removing a name does not replace another key. Only
      // the default name, `1`, is left out.
      const id = name === '1' ? 'PublicKey' : `PublicKey${name}`;
      byName.set(name, new PublicKey(scope, id));
    }
    const current = byName.get(publicKeys.at(-1) ?? '');
    if (!current) throw new Error('A stage needs a public key');
    this.byName = byName;
    this.current = current;
  }

  /** The ids of all keys, separated by commas. */
  get ids(): string {
    return [...this.byName.values()].map(({ apiKey }) => apiKey.keyId).join(',');
  }
}
