/** What passes between a container's thread and the server. Events and results travel as JSON text, as in Lambda. */

export interface ContainerSettings {
  readonly module: string;
  readonly handler: string;
  readonly functionName: string;
  readonly functionArn: string;
  readonly memoryMb: number;
  readonly logGroup: string;
}

export interface InvokeMessage {
  readonly requestId: string;
  readonly event: string;
  /** Milliseconds since 1970 at which the invocation will be ended. */
  readonly deadline: number;
  readonly traceId: string;
}

/** An error in the shape in which Lambda returns it. */
export interface FunctionError {
  readonly errorType: string;
  readonly errorMessage: string;
  readonly trace?: readonly string[];
}

export type ContainerMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'output'; readonly text: string }
  | { readonly kind: 'result'; readonly payload: string }
  | { readonly kind: 'error'; readonly error: FunctionError };
