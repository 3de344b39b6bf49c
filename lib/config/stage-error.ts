/** A mistake in the settings of a deployment; the message is for the deployer and says what is allowed. */
export class StageError extends Error {
  override readonly name = 'StageError';
}
