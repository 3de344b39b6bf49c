/** What a context value may be. */
export interface ContextKind<T> {
  /** Ends the sentence "it must be …". */
  readonly allowed: string;
  /** `undefined` for a text that is not allowed. */
  parse(text: string): T | undefined;
}

/** The kinds of values that a deployer may give. */
export const CONTEXT_KINDS = {
  url: {
    allowed: 'an http or https URL',
    parse: (text) => (/^https?:\/\//.test(text) && URL.canParse(text) ? text.replace(/\/$/, '') : undefined),
  } satisfies ContextKind<string>,
  trueOrFalse: {
    allowed: 'true or false',
    parse: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
  } satisfies ContextKind<boolean>,
  region: matching(/^[a-z]{2}(-[a-z]+)+-\d$/, 'an AWS region such as eu-central-1'),
  hostName: matching(
    /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,}$/,
    'a host name such as markets.example.com',
  ),
  usEast1Certificate: matching(
    /^arn:aws:acm:us-east-1:\d{12}:certificate\/[\w-]+$/,
    'the ARN of an ACM certificate in us-east-1, the only region CloudFront takes one from',
  ),
  email: matching(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, 'an e-mail address'),
  keyNames: {
    allowed: 'one name of letters and digits, or two with a comma between: the key in use, and its successor',
    parse: (text) => {
      const names = text.split(',');
      const right =
        names.every((name) => /^[a-zA-Z0-9]{1,12}$/.test(name)) && new Set(names).size === names.length;
      return right && names.length <= 2 ? names : undefined;
    },
  } satisfies ContextKind<readonly string[]>,
  integer,
};

function matching(pattern: RegExp, allowed: string): ContextKind<string> {
  return { allowed, parse: (text) => (pattern.test(text) ? text : undefined) };
}

/** @param reason why there is a bound, for the person who met it */
function integer(minimum: number, maximum: number, reason?: string): ContextKind<number> {
  return {
    allowed: `a whole number from ${minimum} to ${maximum}${reason ? ` (${reason})` : ''}`,
    parse: (text) => {
      const number = Number(text);
      return /^\d+$/.test(text) && number >= minimum && number <= maximum ? number : undefined;
    },
  };
}
