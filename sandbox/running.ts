/** A program of the sandbox that is up. */
export interface Running {
  /** Scheme, host and port, without a trailing slash. */
  readonly address: string;
  stop(): Promise<void>;
}
