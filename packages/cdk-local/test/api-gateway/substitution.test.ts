// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders of mapping templates
import { describe, expect, it } from '@jest/globals';
import { compileParameter, compileTemplate } from '../../src/api-gateway/substitution.ts';

const VALUES: Readonly<Record<string, string>> = {
  'context.requestId': 'r-1',
  'context.error.message': 'no',
  'context.error.messageString': '"no"',
  'stageVariables.colour': 'red',
  'method.request.header.Origin': 'http://x',
};
const lookup = (reference: string): string | undefined => VALUES[reference];

describe('a template', () => {
  it.each([
    ['{"message":$context.error.messageString}', '{"message":"no"}'],
    ['{"message":"$context.error.message","id":"${context.requestId}"}', '{"message":"no","id":"r-1"}'],
    ['$context.error.message.', 'no.'],
    ['[$!context.requestId] $stageVariables.colour $stageVariables.none|', '[r-1] red |'],
    ['{"$ref":"#/components/x","price":"$5"}', '{"$ref":"#/components/x","price":"$5"}'],
    ['a #[[ $context.requestId #set ]]# b', 'a  $context.requestId #set  b'],
  ])('%s', (template, expected) => {
    expect(compileTemplate(template, 'here')(lookup)).toBe(expected);
  });

  it.each([
    ["#set($a = 'b')", 'the directive #set'],
    ['#if(true)x#end', 'the directive #if'],
    ['$input.body', '$input.body'],
    ["$util.escapeJavaScript('x')", '$util.escapeJavaScript'],
    ['$context.authorizer.claims', '$context.authorizer.claims'],
  ])('%s cannot be evaluated, and that is said at once', (template, named) => {
    expect(() => compileTemplate(template, 'here')).toThrow(`here: cannot evaluate ${named}`);
  });
});

describe('a parameter', () => {
  it.each([
    ["'*'", '*'],
    ["'a, ''b'", "a, ''b"],
    ['context.requestId', 'r-1'],
    ['method.request.header.Origin', 'http://x'],
    ['method.request.header.None', undefined],
  ])('%s', (expression, expected) => {
    expect(compileParameter(expression, 'here')(lookup)).toBe(expected);
  });

  it.each(['plain', 'integration.response.header.X', 'context.unknown'])('%s is an error', (expression) => {
    expect(() => compileParameter(expression, 'here')).toThrow(`here: cannot evaluate ${expression}`);
  });
});
