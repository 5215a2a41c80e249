/** Who may push to an organization's repositories. */
const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  wknd: ['ada.admin@example.com', 'otto.org@example.com', 'carl.config@example.com'],
  acme: ['ada.admin@example.com', 'nora.neighbour@example.com'],
};
const ACCOUNTS: ReadonlySet<string> = new Set([...Object.values(MEMBERS).flat(), 'sam.stranger@example.com']);
const PASSWORD = 'sandbox';

/** The account of an `authorization: Basic …` header; undefined where there is none or the password is wrong. */
export function accountOf(authorization: string | undefined): string | undefined {
  const encoded = /^Basic (\S+)$/i.exec(authorization ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString();
  const colon = text.indexOf(':');
  const email = text.slice(0, Math.max(colon, 0)).toLowerCase();
  return ACCOUNTS.has(email) && text.slice(colon + 1) === PASSWORD ? email : undefined;
}

export function mayPush(email: string, org: string): boolean {
  return MEMBERS[org]?.includes(email) === true;
}
