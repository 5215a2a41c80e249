import { GRANTS } from '@repoless/contract/access.ts';
import type { Org } from '@repoless/contract/org.ts';
import { rolesOf } from '../../access/roles.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import type { StoredSubscription } from './ports.ts';
import type { User } from '../../sessions/identity.ts';

/** Who may receive e-mail from the service. */
export interface MailRules {
  readonly sends: boolean;
  /** Domains, in lower case, whose addresses anyone may use. */
  readonly domains: readonly string[];
}

/** No one may make the service write to strangers: only to the caller's own address, or to one of a domain that the operator allowed. */
export function requireReceiver(user: User, mail: MailRules, to: string): void {
  if (!mail.sends)
    throw new Refusal(
      'SUBSCRIPTION_REFUSED',
      'This service does not send e-mail. Subscribe with a webhook, or ask the operator to set SMTP_URL.',
      { data: { reason: 'noMail' } },
    );
  if (isOwn(user, to) || isAllowed(mail, to)) return;
  const own = user.key === undefined ? ` You are signed in as ${user.email}.` : '';
  const sentence = `E-mail is sent only to your own address or to domains that the operator lists in MAIL_DOMAINS; ${to} is neither.${own}`;
  throw new Refusal('SUBSCRIPTION_REFUSED', sentence, { data: { reason: 'mailAddress', to } });
}

/** Whether an address belongs to the signed-in person; an API key has none. */
export function isOwn(user: User, to: string): boolean {
  return user.key === undefined && user.email.toLowerCase() === to.toLowerCase();
}

/**
 * Whether the recipient may be notified now: an own address only while its owner may configure the organization, by any of the names at the
 * time of the subscription. Takes the present organization; undefined if it no longer exists.
 */
export function mayReceive(
  { channel, ownerNames }: StoredSubscription,
  mail: Pick<MailRules, 'domains'>,
  org: Pick<Org, 'name' | 'users' | 'groups'> | undefined,
): boolean {
  if (channel.type !== 'email' || isAllowed(mail, channel.to)) return true;
  if (org === undefined) return false;
  const address = channel.to.toLowerCase();
  // An earlier version of the program leaves the names when it replaces the address.
  const names = ownerNames?.includes(address) === true ? ownerNames : [address];
  const roles = rolesOf({ kind: 'user', email: channel.to, names, tokenId: '', credential: 'header' }, org);
  return GRANTS['org:configure'].some((role) => roles.has(role));
}

function isAllowed({ domains }: Pick<MailRules, 'domains'>, to: string): boolean {
  return domains.includes(to.slice(to.lastIndexOf('@') + 1).toLowerCase());
}

/**
 * The id of a message without an event, sent to try a subscription. Events have numbers from 1 on and digests the dates of their days, so 0
 * is unused.
 */
export function testMessageId(subscription: string, unique: string): string {
  return `msg_${subscription}_0_${unique.replaceAll('-', '')}`;
}

export function isTestMessage(id: string): boolean {
  return /_0_[a-f0-9]+$/.test(id);
}

/**
 * When a message that is sent now may go out: a daily one not before the next morning (docs/contract.md 9.4), because it includes the rest
 * of the day. The id of such a message ends with its day.
 */
export function dueTime(message: string, now: Date): Date {
  const day = /_(\d{4}-\d{2}-\d{2})$/.exec(message)?.[1];
  const morning = day === undefined ? Number.NaN : Date.parse(`${day}T06:00:00.000Z`) + DAY;
  return morning > now.getTime() ? new Date(morning) : now;
}

const DAY = 24 * 60 * 60_000;
