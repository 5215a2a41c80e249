/** What an author is told when something did not go well: what happened, and what to do next. */
export interface Explained {
  readonly sentence: string;
  readonly next?: string;
}
