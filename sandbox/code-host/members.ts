import { accountByEmail, PASSWORD } from '../identity-provider/accounts.ts';

/** Who may push to an organization's repositories. */
const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  wknd: ['ada.admin@example.com', 'otto.org@example.com', 'carl.config@example.com'],
  acme: ['ada.admin@example.com', 'nora.neighbour@example.com'],
};

/** The account of an `authorization: Basic …` header; undefined where there is none or the password is wrong. */
export function accountOf(authorization: string | undefined): string | undefined {
  const encoded = /^Basic (\S+)$/i.exec(authorization ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString();
  const colon = text.indexOf(':');
  return colon > 0 && text.slice(colon + 1) === PASSWORD ? accountByEmail(text.slice(0, colon))?.email : undefined;
}

export function mayPush(email: string, org: string): boolean {
  return MEMBERS[org]?.includes(email) === true;
}
