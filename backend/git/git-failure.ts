/** Git failed. `said` is its last output, for matching only: it is never shown. */
export class GitFailure extends Error {
  override readonly name: string = 'GitFailure';
  readonly said: string;
  /** Its exit status; null where it was ended from outside. */
  readonly status: number | null;

  constructor(command: string, said: string, status: number | null) {
    super(`git ${command} failed.`);
    this.said = said;
    this.status = status;
  }
}

/** It was ended because it printed more than LIMITS.gitOutput. */
export class GitPrintedTooMuch extends GitFailure {
  override readonly name = 'GitPrintedTooMuch';

  constructor(command: string) {
    super(command, '', null);
  }
}

/** There is no git, or one that is too old. The message is a sentence. */
export class GitUnusable extends Error {
  override readonly name = 'GitUnusable';
}
