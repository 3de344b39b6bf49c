// biome-ignore-all lint/suspicious/noTemplateCurlyInString: CloudFormation's own placeholders
import { describe, expect, it } from '@jest/globals';
import type { Json, JsonObject } from '../../src/template/json.ts';
import { Stack } from '../../src/template/stack.ts';
import { PLACE, resource } from '../test-assembly.ts';

const SECRET = resource('AWS::SecretsManager::Secret', {
  GenerateSecretString: {
    SecretStringTemplate: '{"user":"me"}',
    GenerateStringKey: 'key',
    ExcludePunctuation: true,
    PasswordLength: 40,
  },
});

function stackOf(template: JsonObject): Stack {
  return new Stack({ template, place: PLACE });
}

const stack = stackOf({
  Parameters: {
    Size: { Type: 'Number', Default: 5 },
    Boot: { Type: 'AWS::SSM::Parameter::Value<String>', Default: '/x' },
  },
  Mappings: { Regions: { 'eu-west-1': { short: 'euw1' } } },
  Conditions: {
    Here: { 'Fn::Equals': [{ Ref: 'AWS::Region' }, 'eu-west-1'] },
    Elsewhere: { 'Fn::Not': [{ Condition: 'Here' }] },
    Both: { 'Fn::And': [{ Condition: 'Here' }, { Condition: 'Elsewhere' }] },
    Either: { 'Fn::Or': [{ Condition: 'Here' }, { Condition: 'Elsewhere' }] },
  },
  Resources: {
    Table: resource('AWS::DynamoDB::Table'),
    Named: resource('AWS::DynamoDB::Table', { TableName: { 'Fn::Sub': '${AWS::StackName}-named' } }),
    Fn: resource('AWS::Lambda::Function'),
    Version: resource('AWS::Lambda::Version', { FunctionName: { Ref: 'Fn' } }),
    Secret: SECRET,
    Gone: resource('AWS::SQS::Queue', {}, { Condition: 'Elsewhere' }),
    Odd: resource('AWS::Odd::Thing'),
  },
  Outputs: { Name: { Value: { Ref: 'Table' } } },
});

describe('intrinsic functions', () => {
  it.each<[string, Json, Json]>([
    ['Ref of a pseudo parameter', { Ref: 'AWS::Region' }, 'eu-west-1'],
    ['Ref of a parameter', { Ref: 'Size' }, 5],
    ['Ref of a table', { Ref: 'Table' }, 'test-Table'],
    ['Ref of a table with a name', { Ref: 'Named' }, 'test-named'],
    ['Ref of a version', { Ref: 'Version' }, 'arn:aws:lambda:eu-west-1:111122223333:function:test-Fn:1'],
    [
      'GetAtt as a list',
      { 'Fn::GetAtt': ['Fn', 'Arn'] },
      'arn:aws:lambda:eu-west-1:111122223333:function:test-Fn',
    ],
    [
      'GetAtt as text',
      { 'Fn::GetAtt': 'Table.Arn' },
      'arn:aws:dynamodb:eu-west-1:111122223333:table/test-Table',
    ],
    ['Join', { 'Fn::Join': ['-', ['a', { Ref: 'Size' }, 'c']] }, 'a-5-c'],
    ['Split and Select', { 'Fn::Select': [1, { 'Fn::Split': ['/', 'a/b/c'] }] }, 'b'],
    [
      'Sub',
      { 'Fn::Sub': '${AWS::AccountId} ${Table} ${Fn.Arn} ${!Literal}' },
      '111122223333 test-Table arn:aws:lambda:eu-west-1:111122223333:function:test-Fn ${Literal}',
    ],
    ['Sub with variables', { 'Fn::Sub': ['${A}${AWS::Region}', { A: { Ref: 'Size' } }] }, '5eu-west-1'],
    ['If', { 'Fn::If': ['Here', 'yes', 'no'] }, 'yes'],
    ['If, not', { 'Fn::If': ['Both', 'yes', 'no'] }, 'no'],
    ['If, or', { 'Fn::If': ['Either', 'yes', 'no'] }, 'yes'],
    ['FindInMap', { 'Fn::FindInMap': ['Regions', { Ref: 'AWS::Region' }, 'short'] }, 'euw1'],
    ['NoValue in an object', { a: 1, b: { 'Fn::If': ['Elsewhere', 1, { Ref: 'AWS::NoValue' }] } }, { a: 1 }],
    ['NoValue in a list', [1, { Ref: 'AWS::NoValue' }, 2], [1, 2]],
  ])('%s', (_name, value, expected) => {
    expect(stack.resolve(value, 'here')).toEqual(expected);
  });

  it.each<[string, Json, string]>([
    [
      'an unknown function',
      { 'Fn::Cidr': ['10.0.0.0/16'] },
      'here: the local server does not know the intrinsic function Fn::Cidr',
    ],
    ['an unknown name', { Ref: 'Nobody' }, 'here (Ref): there is no Nobody in the template'],
    ['a resource left out by its condition', { Ref: 'Gone' }, 'there is no Gone'],
    ['an unknown type', { Ref: 'Odd' }, 'what a AWS::Odd::Thing (Odd) is called'],
    ['an unknown attribute', { 'Fn::GetAtt': ['Table', 'StreamArn'] }, 'the attribute StreamArn of Table'],
    ['an SSM parameter', { Ref: 'Boot' }, 'the parameter Boot has no value here'],
    ['a selection out of range', { 'Fn::Select': [3, ['a']] }, 'there is no entry 3'],
    [
      'another dynamic reference',
      '{{resolve:ssm:/a/b}}',
      'cannot resolve the dynamic reference {{resolve:ssm:/a/b}}',
    ],
  ])('%s is an error that names it', (_name, value, message) => {
    expect(() => stack.resolve(value, 'here')).toThrow(message);
  });
});

describe('secrets', () => {
  const reference = (key: string): Json => ({
    'Fn::Join': ['', ['{{resolve:secretsmanager:', { Ref: 'Secret' }, `:SecretString:${key}::}}`]],
  });

  it('are generated as the template asks, and stay the same', () => {
    const value = stack.resolve(reference('key'), 'here');
    expect(value).toMatch(/^[a-zA-Z0-9]{40}$/);
    expect(stack.resolve({ header: reference('key') }, 'elsewhere')).toEqual({ header: value });
    expect(stack.resolve(reference('user'), 'here')).toBe('me');
  });

  it('whole', () => {
    const whole = stack.resolve({ 'Fn::Sub': '{{resolve:secretsmanager:${Secret}:SecretString}}' }, 'here');
    expect(JSON.parse(String(whole))).toMatchObject({ user: 'me' });
  });

  it('without the key are an error', () => {
    expect(() => stack.resolve(reference('other'), 'here')).toThrow('key other of the secret');
  });

  it('differ between stacks', () => {
    const other = stackOf({ Resources: { Secret: SECRET } });
    expect(other.resolve(reference('key'), 'here')).not.toBe(stack.resolve(reference('key'), 'here'));
  });
});

it('resources come by type, without those whose condition does not hold', () => {
  expect(stack.resources('AWS::DynamoDB::Table').map(({ id }) => id)).toEqual(['Table', 'Named']);
  expect(stack.resources('AWS::SQS::Queue')).toEqual([]);
});

it('outputs are resolved', () => {
  expect(stack.output('Name')).toBe('test-Table');
  expect(stack.output('Other')).toBeUndefined();
});
