/** What the worker posts, once: where it listens, or why it does not. */
export type WorkerMessage =
  | { readonly url: string; readonly description: string }
  | { readonly error: string };
