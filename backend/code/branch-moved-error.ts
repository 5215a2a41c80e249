/** The branch moved while it was read, so the sync starts again. The message becomes its error if that keeps happening. */
export class BranchMovedError extends Error {
  override readonly name = 'BeginAgain';
}
