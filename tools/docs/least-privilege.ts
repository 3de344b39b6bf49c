import { type TemplateResource, templatesOf } from '../templates.ts';

interface Statement {
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
}

/**
 * Who may do what, from the templates of prod, which have everything: a row for each role. Names of
 * resources are their logical ids without the CDK's hash.
 */
export function leastPrivilegeTable(): string {
  const rows = templatesOf({ stage: 'prod', alarmEmail: 'on-call@example.com' }).flatMap(({ resources }) =>
    rolesOf(resources).map((role) => rowOf(role, resources)),
  );
  return ['| Role | Used by | May |', '|---|---|---|', ...rows].join('\n');
}

type Resources = Readonly<Record<string, TemplateResource>>;

function rolesOf(resources: Resources): string[] {
  return Object.keys(resources)
    .filter((id) => resources[id]?.Type === 'AWS::IAM::Role')
    .sort();
}

function rowOf(role: string, resources: Resources): string {
  const {
    AssumeRolePolicyDocument,
    ManagedPolicyArns = [],
    Policies = [],
  } = resources[role]?.Properties ?? {};
  const attached = Object.values(resources).filter(
    ({ Type, Properties }) =>
      Type === 'AWS::IAM::Policy' && JSON.stringify(Properties?.Roles).includes(`"${role}"`),
  );
  const inline = Policies as readonly { readonly PolicyDocument: unknown }[];
  const documents = [
    ...attached.map(({ Properties }) => Properties?.PolicyDocument),
    ...inline.map(({ PolicyDocument }) => PolicyDocument),
  ];
  const grants = [
    ...(ManagedPolicyArns as readonly unknown[]).map((arn) => `AWS’s own policy ${nameOf(arn)}`),
    ...documents
      .flatMap(statementsOf)
      .map(
        ({ Action, Resource }) =>
          `${[Action].flat().join(', ')} on ${[...new Set([Resource].flat().map(nameOf))].join(', ')}`,
      ),
  ];
  const user = [...JSON.stringify(AssumeRolePolicyDocument).matchAll(/"([\w.-]+)\.amazonaws\.com"/g)].map(
    ([, service]) => service,
  );
  const may = grants.join('<br>') || 'nothing';
  return `| ${withoutHash(role)} | ${user.join(', ')} | ${may} |`;
}

/** @throws Error for what this table could not show truly */
function statementsOf(document: unknown): Statement[] {
  const { Statement: statements } = document as { readonly Statement: readonly Statement[] };
  return statements.map((statement) => {
    if (statement.Effect !== 'Allow') throw new Error(`A statement with ${statement.Effect} is not shown`);
    return statement;
  });
}

/** A short name of an ARN in a template: what it refers to, or its text. */
function nameOf(arn: unknown): string {
  if (typeof arn === 'string') return arn === '*' ? 'everything' : lastPart(arn);
  if (typeof arn !== 'object' || arn === null) throw new Error(`Not an ARN: ${String(arn)}`);
  const [[kind, value] = []] = Object.entries(arn);
  if (kind === 'Ref') return withoutHash(String(value));
  if (kind === 'Fn::GetAtt') return withoutHash(String((value as readonly string[])[0]));
  if (kind === 'Fn::Sub') return lastPart(String(value));
  if (kind === 'Fn::Join') {
    const parts = (value as readonly [string, readonly unknown[]])[1];
    const named = parts.filter((part) => typeof part !== 'string' && !isPseudo(part)).map(nameOf);
    const tail = String(typeof parts.at(-1) === 'string' ? parts.at(-1) : '');
    return named.length > 0 ? `${named.join('')}${tail}` : lastPart(tail);
  }
  throw new Error(`An ARN made by ${kind} is not understood`);
}

function isPseudo(part: unknown): boolean {
  return JSON.stringify(part).includes('"AWS::');
}

function lastPart(arn: string): string {
  return arn.split('/').at(-1) ?? arn;
}

function withoutHash(logicalId: string): string {
  return logicalId.replace(/[0-9A-F]{8}$/, '');
}
