/** A branch that was pushed to: `before` or `after` is 40 zeros where there was or is no such branch. */
export interface Pushed {
  readonly host: string;
  readonly team: string;
  readonly repo: string;
  readonly branch: string;
  readonly before: string;
  readonly after: string;
  readonly pusher: string;
  /** Identifier of the delivery. */
  readonly id: string;
  readonly time: Date;
}

/** The event as its vendor would send it: headers without the signature. */
export interface ShapedEvent {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export const NOTHING = '0'.repeat(40);

export function repositoryAddress({ host, team, repo }: Pick<Pushed, 'host' | 'team' | 'repo'>): string {
  return `${host}/${team}/${repo}`;
}
