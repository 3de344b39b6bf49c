/** A program that must end well against a running service. */
export interface ClientCheck {
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
}
