/** What the command line has around it; a test gives its own. */
export interface CliContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Where tokens are kept. */
  readonly configDirectory: string;
  readonly fetch: typeof fetch;
  readonly signal: AbortSignal;
  out(text: string): void;
  err(text: string): void;
  readIn(): Promise<string>;
  /** What is read in is JSON of at most so many values: whoever serves many has no time for YAML. Absent: YAML, which JSON is too. */
  readonly jsonValues?: number;
  wait(milliseconds: number, signal: AbortSignal): Promise<void>;
  now(): Date;
}

/** 0 done or nothing to do, 1 failed, 2 command or file wrong, 3 changes pending or something found, 4 fine as far as looked. */
export type ExitCode = 0 | 1 | 2 | 3 | 4;

/** What a command comes to: its answer for a program, and for a person. */
export interface CommandResult {
  readonly code: ExitCode;
  readonly json: unknown;
  readonly lines: readonly string[];
  /** Nothing failed: the service goes on with what nobody waits for any longer. */
  readonly goesOn?: boolean;
  /** For a comment of a pull request, where the command has such a form. */
  readonly markdown?: () => string;
}

/** The command or the file is wrong; nothing was done. */
export class UsageProblem extends Error {
  readonly places: readonly Place[];
  constructor(sentence: string, places: readonly Place[] = []) {
    super(sentence);
    this.name = 'UsageProblem';
    this.places = places;
  }
}

/** A place in the file, and what is wrong there. Lines and columns count from 1. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly pointer: string;
  readonly sentence: string;
}

/** Something that was asked for did not come. */
export class CommandFailure extends Error {}
