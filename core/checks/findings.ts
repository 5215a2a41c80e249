import type { CheckId, Verdict } from '@repoless/contract/site-check.ts';

/** One finding. `data` fills the messages of core/messages (finding, consequence, fix) for the identifier and verdict. */
export interface Finding {
  readonly check: CheckId;
  readonly verdict: Verdict;
  /** Which sentence of the check applies where it has several, e.g. `trailing-slash`. */
  readonly variant?: string;
  readonly data: Readonly<Record<string, string>>;
  /** What was asked and what came back. */
  readonly evidence?: { readonly request: string; readonly answer: string };
}
