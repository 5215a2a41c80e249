/** What became of one attempt. Without a `problem` it arrived; a problem is a sentence for whoever subscribed. */
export interface Sent {
  readonly status: number | undefined;
  readonly problem: string | undefined;
}
