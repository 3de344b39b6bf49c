/** A response before it is written: JSON values stay values, so that faults can change them. */
export interface SimulatedResponse {
  readonly status: number;
  readonly type: 'json' | 'html' | 'text';
  /** A JSON value, or the text itself where the type is html or text. */
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON bodies of Gamma and the CLOB end with a line feed. */
  readonly lineFeed?: boolean;
}

export function json(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): SimulatedResponse {
  return { status, type: 'json', body, headers };
}

export function html(status: number, title: string): SimulatedResponse {
  const body = `<html>\r\n<head><title>${title}</title></head>\r\n<body>\r\n<center><h1>${title}</h1></center>\r\n<hr><center>cloudflare</center>\r\n</body>\r\n</html>\r\n`;
  return { status, type: 'html', body };
}

export function text(status: number, body: string): SimulatedResponse {
  return { status, type: 'text', body };
}

/** The body as it goes over the wire. */
export function bodyText(result: SimulatedResponse): string {
  if (result.type !== 'json') return String(result.body);
  return result.lineFeed === true ? `${JSON.stringify(result.body)}\n` : JSON.stringify(result.body);
}

export const CONTENT_TYPES: Readonly<Record<SimulatedResponse['type'], string>> = {
  json: 'application/json; charset=utf-8',
  html: 'text/html',
  text: 'text/plain; charset=UTF-8',
};
