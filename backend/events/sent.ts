/** The result of one attempt. Without a `problem` it arrived; a problem is a message for the subscriber. */
export interface Sent {
  readonly status: number | undefined;
  readonly problem: string | undefined;
}
