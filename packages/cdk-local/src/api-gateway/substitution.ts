import { TemplateError } from '../template/json.ts';

/** What templates and parameters may refer to, by full name: `context.requestId`, `method.request.header.Origin`. */
export type Lookup = (reference: string) => string | undefined;

/** `$context.…` variables that this server has a value for. */
const CONTEXT = new Set([
  'apiId',
  'accountId',
  'domainName',
  'extendedRequestId',
  'httpMethod',
  'path',
  'protocol',
  'requestId',
  'requestTime',
  'requestTimeEpoch',
  'resourceId',
  'resourcePath',
  'stage',
  'identity.sourceIp',
  'identity.userAgent',
  'error.message',
  'error.messageString',
  'error.responseType',
]);

const DIRECTIVE =
  /#(?:\{?(?:set|if|elseif|else|end|foreach|include|parse|stop|break|evaluate|define|macro)\b|[#*])/;
const REFERENCE = /\$!?(?:\{([a-zA-Z][\w.-]*)\}|([a-zA-Z][\w.-]*\w|[a-zA-Z]))/g;

/**
 * Compiles a mapping template of which only variables are known. Like Velocity it leaves other `$words` as they
 * are, and the text between `#[[` and `]]#` untouched.
 * @throws {TemplateError} for a directive, or for a variable of API Gateway that is not known here
 */
export function compileTemplate(template: string, where: string): (lookup: Lookup) => string {
  const parts = template
    .split(/#\[\[([\s\S]*?)\]\]#/)
    .map((text, index) => ({ text, literal: index % 2 === 1 }));
  for (const { text, literal } of parts) {
    if (literal) continue;
    const directive = DIRECTIVE.exec(text)?.[0];
    if (directive !== undefined)
      throw new TemplateError(`${where}: cannot evaluate the directive ${directive}`);
    for (const [whole, braced, bare] of text.matchAll(REFERENCE))
      checkReference(braced ?? bare ?? '', whole, where);
  }
  return (lookup) =>
    parts
      .map(({ text, literal }) =>
        literal
          ? text
          : text.replaceAll(REFERENCE, (whole, braced?: string, bare?: string) => {
              const reference = braced ?? bare ?? '';
              return isKnown(reference) ? (lookup(reference) ?? '') : whole;
            }),
      )
      .join('');
}

/**
 * Compiles the value of a response parameter: `'literal'`, `context.…`, `method.request.header.…` and the like.
 * @throws {TemplateError} for any other form
 */
export function compileParameter(expression: string, where: string): (lookup: Lookup) => string | undefined {
  const literal = /^'([\s\S]*)'$/.exec(expression)?.[1];
  if (literal !== undefined) return () => literal;
  if (isKnown(expression) || /^method\.request\.(?:header|querystring|path)\../.test(expression)) {
    return (lookup) => lookup(expression);
  }
  throw new TemplateError(`${where}: cannot evaluate ${expression}`);
}

function isKnown(reference: string): boolean {
  if (reference.startsWith('stageVariables.')) return true;
  return reference.startsWith('context.') && CONTEXT.has(reference.slice('context.'.length));
}

function checkReference(reference: string, whole: string, where: string): void {
  const [root = ''] = reference.split('.');
  if (['context', 'input', 'util', 'stageVariables', 'method'].includes(root) && !isKnown(reference)) {
    throw new TemplateError(`${where}: cannot evaluate ${whole}`);
  }
}
