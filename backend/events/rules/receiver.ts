import { GRANTS } from '@repoless/contract/access.ts';
import type { Org } from '@repoless/contract/org.ts';
import { rolesOf } from '../../access/roles.ts';
import type { User } from '../../domain/context.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import type { StoredSubscription } from './ports.ts';

/** To whom the service sends e-mail. */
export interface MailRules {
  /** Whether it sends any. */
  readonly sends: boolean;
  /** Domains, in small letters, whose addresses anybody may name. */
  readonly domains: readonly string[];
}

/** Nobody makes the service write to strangers: to one's own address, or to one of a domain that the operator named. */
export function requireReceiver(user: User, mail: MailRules, to: string): void {
  if (!mail.sends)
    throw new Refusal(
      'SUBSCRIPTION_REFUSED',
      'This service does not send e-mail. Subscribe with a webhook, or ask the operator to set SMTP_URL.',
      { data: { reason: 'noMail' } },
    );
  if (isOwn(user, to) || isAllowed(mail, to)) return;
  const own = user.key === undefined ? ` You are signed in as ${user.email}.` : '';
  throw new Refusal(
    'SUBSCRIPTION_REFUSED',
    `E-mail is sent only to your own address or to domains that the operator lists in MAIL_DOMAINS; ${to} is neither.${own}`,
    { data: { reason: 'mailAddress', to } },
  );
}

/** Whether an address is that of whoever is signed in; an API key has none. */
export function isOwn(user: User, to: string): boolean {
  return user.key === undefined && user.email.toLowerCase() === to.toLowerCase();
}

/**
 * Whether the receiver may be told now: an own address only as long as its owner may configure the organization, by any of the
 * names that they subscribed with. In: the organization as it is now; undefined where it is gone.
 */
export function mayReceive(
  { channel, ownerNames }: StoredSubscription,
  mail: Pick<MailRules, 'domains'>,
  org: Pick<Org, 'name' | 'users' | 'groups'> | undefined,
): boolean {
  if (channel.type !== 'email' || isAllowed(mail, channel.to)) return true;
  if (org === undefined) return false;
  const address = channel.to.toLowerCase();
  // A program of before leaves the names where it replaces the address.
  const names = ownerNames?.includes(address) === true ? ownerNames : [address];
  const roles = rolesOf({ kind: 'user', email: channel.to, names, tokenId: '', credential: 'header' }, org);
  return GRANTS['org:configure'].some((role) => roles.has(role));
}

function isAllowed({ domains }: Pick<MailRules, 'domains'>, to: string): boolean {
  return domains.includes(to.slice(to.lastIndexOf('@') + 1).toLowerCase());
}

/**
 * The id of a message that tells of no event, sent to try a subscription. Events have numbers from 1 on and digests the dates of their days, so
 * that 0 is nobody else's.
 */
export function testMessageId(subscription: string, unique: string): string {
  return `msg_${subscription}_0_${unique.replaceAll('-', '')}`;
}

export function isTestMessage(id: string): boolean {
  return /_0_[a-f0-9]+$/.test(id);
}

/**
 * When a message may go out that is sent now: one that gathers the events of a day not before the morning after (docs/contract.md 9.4), since what
 * happens later that day goes with it. The id of such a message ends with its day.
 */
export function dueTime(message: string, now: Date): Date {
  const day = /_(\d{4}-\d{2}-\d{2})$/.exec(message)?.[1];
  const morning = day === undefined ? Number.NaN : Date.parse(`${day}T06:00:00.000Z`) + DAY;
  return morning > now.getTime() ? new Date(morning) : now;
}

const DAY = 24 * 60 * 60_000;
