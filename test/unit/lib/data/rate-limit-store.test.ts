import { describe, expect, it } from '@jest/globals';
import {
  functionsWhere,
  type ReadFunctionName,
  ROUTES,
  ROUTES_BY_FUNCTION,
  type Route,
} from '../../../../lambda/contract/routes.ts';
import { resources, synthesizeStack } from '../../../support/stack.ts';

const template = synthesizeStack();
const tables = resources(template, 'AWS::DynamoDB::Table').filter(([id]) => id.startsWith('RateLimits'));
const [table] = tables;
const counted = functionsWhere((route) => route.counted);
const functions = resources(template, 'AWS::Lambda::Function').filter(([, { Properties }]) =>
  counted.some((name) => Properties.Description === descriptionOf(name)),
);

function descriptionOf(name: ReadFunctionName): string {
  const routes = (ROUTES_BY_FUNCTION.get(name) ?? []).map((route): Route => ROUTES[route]);
  return `${routes[0]?.method ?? 'GET'} ${routes.map(({ path }) => path).join(', ')}`;
}

describe('the table of the per-IP limit', () => {
  it('is one, on demand, forgets, and goes with the stack', () => {
    expect(tables).toHaveLength(1);
    expect(table?.[1]).toMatchObject({
      DeletionPolicy: 'Delete',
      Properties: {
        BillingMode: 'PAY_PER_REQUEST',
        KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
        TimeToLiveSpecification: { AttributeName: 'expiresAt', Enabled: true },
      },
    });
  });

  it('can be updated by the counted endpoints, and nothing else by nobody else', () => {
    const statements = resources(template, 'AWS::IAM::Policy').flatMap(([id, { Properties }]) =>
      (Properties.PolicyDocument as { Statement: { Action: unknown; Resource: unknown }[] }).Statement.filter(
        ({ Resource }) => JSON.stringify(Resource).includes(`"${table?.[0]}"`),
      ).map(({ Action }) => ({ id, Action })),
    );
    expect(statements.map(({ Action }) => Action)).toEqual(counted.map(() => 'dynamodb:UpdateItem'));
    expect(new Set(statements.map(({ id }) => id)).size).toBe(counted.length);
  });

  it('is known to all counted endpoints, with the limit and the id of the front door’s key', () => {
    const key = template.toJSON().Outputs.PublicApiKeyId.Value.Ref;
    expect(functions).toHaveLength(counted.length);
    for (const [, { Properties }] of functions) {
      expect(Properties.Environment).toMatchObject({
        Variables: {
          RATE_LIMIT_TABLE: { Ref: table?.[0] },
          REQUESTS_PER_MINUTE: '60',
          FRONT_DOOR: 'on',
          PUBLIC_API_KEY_IDS: { Ref: key },
        },
      });
    }
  });
});
