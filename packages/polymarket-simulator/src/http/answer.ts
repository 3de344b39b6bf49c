/** An answer before it is written: JSON values stay values, so that faults can change them. */
export interface Answer {
  readonly status: number;
  readonly type: 'json' | 'html' | 'text';
  /** A JSON value, or the text itself where the type is html or text. */
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export function json(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status, type: 'json', body, headers };
}

export function html(status: number, title: string): Answer {
  const body = `<html>\r\n<head><title>${title}</title></head>\r\n<body>\r\n<center><h1>${title}</h1></center>\r\n<hr><center>cloudflare</center>\r\n</body>\r\n</html>\r\n`;
  return { status, type: 'html', body };
}

export function text(status: number, body: string): Answer {
  return { status, type: 'text', body };
}

/** The body as it goes over the wire. */
export function bodyText(answer: Answer): string {
  return answer.type === 'json' ? JSON.stringify(answer.body) : String(answer.body);
}

export const CONTENT_TYPES: Readonly<Record<Answer['type'], string>> = {
  json: 'application/json; charset=utf-8',
  html: 'text/html',
  text: 'text/plain; charset=UTF-8',
};
