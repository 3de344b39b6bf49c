/** Why the service cannot start, as one sentence for the person at the terminal; `detail` may hold many lines. */
export class StartError extends Error {
  override readonly name = 'StartError';
  readonly detail: string;
  /** 2 for a command line that makes no sense, 1 for everything else. */
  readonly exitCode: number;

  constructor(sentence: string, options: { detail?: string; exitCode?: number; cause?: unknown } = {}) {
    super(sentence, options.cause === undefined ? undefined : { cause: options.cause });
    this.detail = options.detail ?? '';
    this.exitCode = options.exitCode ?? 1;
  }
}
