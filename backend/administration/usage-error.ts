/** The command was written wrong; the sentence says how it is written. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
