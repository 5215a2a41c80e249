import { basicCredentials } from '../git-server/start-git-host.ts';

/** Reads every private repository of the sandbox's git vendor and pushes to none: the token for build management. */
export const ACCESS_TOKEN = 'sandbox-access-token';

/** Repositories that everyone can read. */
const PUBLIC: readonly string[] = ['northwind/public-docs'];
/** The members of a team: they read and push. */
const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  northwind: ['ada.admin@example.com', 'otto.org@example.com'],
};

export interface Access {
  readonly mayRead: boolean;
  readonly mayPush: boolean;
  /** The person, if signed in. */
  readonly account: string | undefined;
}

/** What the credentials of a request allow. Takes its `authorization` header, `Basic <user>:<password or token>`. */
export function accessOf(authorization: string | undefined, team: string, repo: string): Access {
  const credentials = basicCredentials(authorization);
  const account = credentials?.account;
  const hasToken = credentials?.password === ACCESS_TOKEN;
  const isMember = account !== undefined && MEMBERS[team]?.includes(account) === true;
  const isOpen = PUBLIC.includes(`${team}/${repo}`);
  // Invalid credentials are refused even if none are needed.
  const isBroken = credentials !== undefined && account === undefined && !hasToken;
  return { mayRead: !isBroken && (isOpen || isMember || hasToken), mayPush: isMember, account };
}
