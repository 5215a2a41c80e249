/** Bounds of the code sync, all of them settings of the service. */
export interface CodeSettings {
  /** Scheme and host of the code host. */
  readonly codeHost: string;
  /** Mirrors of repositories; every node has its own. */
  readonly mirrorDir: string;
  /** Bytes of all files of a branch, and of what is transferred for it. */
  readonly repositoryLimit: number;
  /** Bytes of one file; larger ones are left out and reported. */
  readonly fileLimit: number;
  /** Files of a branch, those included that its own rules leave out. */
  readonly fileCountLimit: number;
  /** Milliseconds before the first further attempt; each next one waits twice as long. */
  readonly retryDelay: number;
  /** Milliseconds of a sync, and of listing the files of a branch and of selecting among them, each. */
  readonly syncTime: number;
  readonly listingTime: number;
  /** Bytes of code that an organization may have; undefined: as many as it likes. */
  readonly codeBytes?: number | undefined;
}
