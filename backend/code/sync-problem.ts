/** Why a sync cannot be done: the sentence becomes the error of its job. It never holds a secret. */
export class SyncProblem extends Error {
  override readonly name: string = 'SyncProblem';
}

/** The branch, or its whole repository, is certainly not there. */
export class NothingThere extends SyncProblem {
  override readonly name = 'NothingThere';
  /** As it is said to the one who asks for a branch by its name. */
  readonly answer: string;

  constructor(sentence: string, answer: string) {
    super(sentence);
    this.answer = answer;
  }
}
