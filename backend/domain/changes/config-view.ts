import type { Site } from '#contract/site.ts';

/** What a call about a site or profile shows of it: the whole, or one part. */
export interface ConfigView {
  /** Where the part lies in the document, as a JSON pointer. */
  readonly pointer: string;
  /** Undefined where the document does not have the part. */
  read(config: Site): unknown;
}

export const WHOLE: ConfigView = { pointer: '', read: (config) => config };
