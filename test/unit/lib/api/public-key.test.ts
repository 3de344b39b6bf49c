import { describe, expect, it } from '@jest/globals';
import type { Template } from 'aws-cdk-lib/assertions';
import { functionsWhere } from '../../../../lambda/contract/routes.ts';
import { resources, synthesizeStack } from '../../../support/stack.ts';
import { CHANGED, CHANGED_AGAIN, NO_EDGE } from '../../../support/variants.ts';

type Resources = ReturnType<typeof resources>;

/** Functions that know their callers. */
const COUNTED = functionsWhere((route) => route.counted).length;

/** The three states of a rotation, each a deployment: before, both keys, after. */
const before = synthesizeStack();
const both = synthesizeStack(...CHANGED);
const after = synthesizeStack(...CHANGED_AGAIN);

function keys(template: Template): Resources {
  return resources(template, 'AWS::ApiGateway::ApiKey');
}

function sentKey(template: Template): string {
  const [distribution] = resources(template, 'AWS::CloudFront::Distribution');
  const [secret = ''] = /(PublicKey\w*Value\w+)/.exec(JSON.stringify(distribution?.[1].Properties)) ?? [];
  return (
    keys(template).find(([, { Properties }]) => JSON.stringify(Properties.Value).includes(secret))?.[0] ?? ''
  );
}

/** What `PUBLIC_API_KEY_IDS` of every counted function refers to. */
function knownKeys(template: Template): string[] {
  const variables = resources(template, 'AWS::Lambda::Function').flatMap(([, { Properties }]) => {
    const environment = Properties.Environment as { Variables?: Record<string, unknown> } | undefined;
    const known = environment?.Variables?.PUBLIC_API_KEY_IDS;
    return known === undefined ? [] : [JSON.stringify(known)];
  });
  expect(variables).toHaveLength(COUNTED);
  expect(new Set(variables).size).toBe(1);
  return [...(variables[0] ?? '').matchAll(/"Ref":"(\w+)"/g)].map(([, id]) => id ?? '');
}

/** Logical id of each link of a key to a plan, with the key's. */
function links(template: Template): Map<string, string> {
  const found = resources(template, 'AWS::ApiGateway::UsagePlanKey');
  return new Map(found.map(([id, { Properties }]) => [id, (Properties.KeyId as { Ref: string }).Ref]));
}

/** Everything that CloudFormation has updated before it begins with a resource. */
function dependencies(template: Template, id: string, seen = new Set<string>()): Set<string> {
  const all = template.toJSON().Resources as Record<string, object>;
  const mentioned = JSON.stringify(all[id]).matchAll(/"(\w+)"/g);
  for (const [, other = ''] of mentioned) {
    if (!(other in all) || seen.has(other)) continue;
    seen.add(other);
    dependencies(template, other, seen);
  }
  return seen;
}

describe('replacing the public key in two deployments', () => {
  it('first adds the new key, which the front door sends, while functions and plan know both', () => {
    const [old, fresh] = keys(both).map(([id]) => id);
    expect(keys(before).map(([id]) => id)).toEqual([old]);
    expect(sentKey(before)).toBe(old);
    expect(sentKey(both)).toBe(fresh);
    expect(knownKeys(both)).toEqual([old, fresh]);
    expect([...links(both).values()].sort()).toEqual([old, fresh].sort());
  });

  it('sends the new key only when every function and the plan know it', () => {
    const [distribution = ''] = resources(both, 'AWS::CloudFront::Distribution').map(([id]) => id);
    const first = dependencies(both, distribution);
    const counted = resources(both, 'AWS::Lambda::Function').filter(([, { Properties }]) =>
      JSON.stringify(Properties).includes('PUBLIC_API_KEY_IDS'),
    );
    for (const [id] of counted) expect(first).toContain(id);
    for (const id of links(both).keys()) expect(first).toContain(id);
  });

  it('then takes the old key away, and changes nothing that is left', () => {
    expect(keys(after)).toEqual(keys(both).slice(1));
    expect(sentKey(after)).toBe(sentKey(both));
    expect(knownKeys(after)).toEqual([sentKey(both)]);
    for (const [id, key] of links(after)) expect(links(both).get(id)).toBe(key);
    for (const [id, key] of links(before)) expect(links(both).get(id)).toBe(key);
  });
});

it('without an edge the functions are told that nothing authenticates the viewer’s address', () => {
  const bare = resources(synthesizeStack(...NO_EDGE), 'AWS::Lambda::Function').flatMap(
    ([, { Properties }]) => {
      const environment = Properties.Environment as { Variables?: Record<string, unknown> } | undefined;
      return environment?.Variables?.FRONT_DOOR === undefined ? [] : [environment.Variables.FRONT_DOOR];
    },
  );
  expect(bare).toEqual(Array.from({ length: COUNTED }, () => 'off'));
});
