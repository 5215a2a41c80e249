/** One commit of a branch, ready to be read. */
export interface Snapshot {
  /** The branch as the repository names it. */
  readonly branch: string;
  readonly sha: string;
  /** The text of `.hlxignore`, where there is one. */
  readonly ignoreRules: string | undefined;
  readonly files: readonly SourceFile[];
  /** Hands over the bytes of each of these files, once for each, in any order. Rejects with SyncProblem. */
  read(files: readonly SourceFile[], take: (file: SourceFile, bytes: Uint8Array) => Promise<void>): Promise<void>;
}

export interface SourceFile {
  readonly path: string;
  readonly kind: 'file' | 'symlink' | 'submodule';
  /** The name that git gives to these bytes. */
  readonly oid: string;
  /** Absent where the source does not tell. */
  readonly size?: number;
}

/** What a sync is allowed while it looks for its snapshot. */
export interface SyncContext {
  readonly signal: AbortSignal;
  /** Says what is waited for; nothing any more where it is left out. */
  waiting(sentence?: string): void;
  /** How often temporary failures are retried; 1: they are reported immediately. */
  readonly attempts?: number;
}

/** Ignore rules of the repository itself. */
export const IGNORE_FILE = '.hlxignore';
