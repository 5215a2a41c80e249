/** What was read so far is of no use any more: the sync begins anew. The sentence is its error where that does not end. */
export class BranchMovedError extends Error {
  override readonly name = 'BeginAgain';
}
