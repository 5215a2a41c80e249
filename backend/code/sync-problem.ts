/** Why a sync cannot be done: the sentence becomes the error of its job. It never holds a secret. */
export class SyncProblem extends Error {
  override readonly name = 'SyncProblem';
}
