import { codeSentence } from '@repoless/contract/code-sentences.ts';
import type { OrgEvent } from '@repoless/contract/event.ts';
import type { SealedValue } from '@repoless/contract/secret.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import type { Message, Sent } from './start-event-delivery.ts';

export interface Mail {
  /** The same for each attempt; `Message-ID` is derived from it. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

export interface Mailer {
  /** Takes at most `LIMITS.mailTime`, and ends with the signal. Never rejects because of the mail server. */
  send(mail: Mail, signal: AbortSignal): Promise<Sent>;
  close(): void;
}

/**
 * Sends e-mail through any SMTP server. Takes its address with user and password, and the sender. Loaded only if there is such a server.
 */
export async function createMailer({ url, from }: { readonly url: SealedValue; readonly from: string }): Promise<Mailer> {
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    url: url.reveal(),
    connectionTimeout: TIMEOUT,
    greetingTimeout: TIMEOUT,
    socketTimeout: TIMEOUT,
    disableFileAccess: true,
    disableUrlAccess: true,
    // Otherwise an attacker in between could remove the server's offer to encrypt, and would receive the password.
    requireTLS: new URL(url.reveal()).password !== '',
  });
  const domain = from.slice(from.lastIndexOf('@') + 1).replaceAll(/[^A-Za-z0-9.-]/g, '');
  return {
    async send({ id, to, subject, text }, signal) {
      // The transport's own timeouts apply only to silence.
      const deadline = new AbortController();
      const timer = setTimeout(() => deadline.abort(), LIMITS.mailTime);
      try {
        await transport.sendMail({
          from,
          to: { name: '', address: to },
          subject,
          text,
          messageId: `<${id}@${domain}>`,
          headers: { 'auto-submitted': 'auto-generated' },
          signal: AbortSignal.any([signal, deadline.signal]),
        });
        return { status: undefined, problem: undefined };
      } catch (error) {
        if (deadline.signal.aborted) return { status: undefined, problem: codeSentence('mailSlow', { seconds: LIMITS.mailTime / 1000 }) };
        if (codeOf(error) === 'ETLS') return { status: undefined, problem: codeSentence('mailUnencrypted') };
        return { status: statusOf(error), problem: codeSentence('mailRefused') };
      } finally {
        clearTimeout(timer);
      }
    },
    close: () => transport.close(),
  };
}

/** The mail server's status code. Its text may repeat private data. */
function statusOf(error: unknown): number | undefined {
  const code = error instanceof Error && 'responseCode' in error ? error.responseCode : undefined;
  return typeof code === 'number' ? code : undefined;
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

/** Milliseconds for which the mail server may be silent. */
const TIMEOUT = 10_000;

/** Subject and text of an e-mail: plain sentences, and where to read more. Takes the address of the service. */
export function writeMail({ org, events }: Message, address: string): { readonly subject: string; readonly text: string } {
  const [first] = events;
  if (first === undefined) return { subject: oneLine(`${org}: test message`), text: `${[TEST, ...footer(org, address)].join('\n\n')}\n` };
  const subject =
    events.length === 1
      ? `${org}: ${statement(first)}`
      : `${org}: ${events.length} events, ${events.filter(({ open }) => open).length} still open`;
  const more = events.length < LIMITS.deliveryEvents ? [] : [MORE];
  const text = [...events.map(sentences), ...more, ...footer(org, address)].join('\n\n');
  return { subject: oneLine(subject), text: `${text}\n` };
}

function footer(org: string, address: string): string[] {
  return [
    `All events: ${address}/config/${org}/events.json`,
    'You receive this because of a subscription of the organization. Its administrators can change it.',
  ];
}

function statement(event: OrgEvent): string {
  return `${what(event)} ${endText(event) ?? SENTENCES[event.kind][event.phase]}`;
}

/** For what expires at a known time: whether it already had when the event was created. */
function endText({ kind, phase, detail, time }: OrgEvent): string | undefined {
  if (phase !== 'began' || !ENDING.has(kind)) return undefined;
  if (detail === undefined) return 'is not valid for that host name';
  return Date.parse(detail) > Date.parse(time) ? undefined : 'has expired';
}

function what({ kind, site, repository, ref, about }: OrgEvent): string {
  const ofSite = site === undefined ? '' : ` of site ${site}`;
  switch (kind) {
    case 'sync-failed':
      return `the code sync of ${repository ?? 'a repository'}, branch ${ref ?? 'main'}`;
    case 'sync-silent':
      return `the code of ${repository ?? 'a repository'}, branch ${ref ?? 'main'}`;
    case 'check-failed':
      return `the check ${about ?? ''}${ofSite}`;
    case 'drift':
      return `the settings${ofSite} in the authoring system and in the service`;
    case 'expires-soon':
      return `the API key ${about ?? ''}${ofSite}`;
    case 'secret-ends':
      return `the secret ${about ?? ''}${ofSite}`;
    case 'certificate-ends':
      return `the certificate of ${about ?? 'a host'}${site === undefined ? '' : ` (site ${site})`}`;
    case 'rollout-stopped':
      return `the rollout “${about ?? ''}”`;
    default:
      return kind satisfies never;
  }
}

function sentences(event: OrgEvent): string {
  const advice = event.phase === 'began' ? ADVICE[event.kind] : undefined;
  const lines = [`${event.time}  ${oneLine(statement(event))}.${advice === undefined ? '' : ` ${advice}`}`];
  if (event.detail !== undefined) lines.push(ENDING.has(event.kind) ? expiry(event.detail, event.time) : oneLine(event.detail));
  return lines.join('\n');
}

function expiry(end: string, time: string): string {
  return `It ${Date.parse(end) > Date.parse(time) ? 'expires' : 'expired'} at ${end}.`;
}

const ENDING: ReadonlySet<OrgEvent['kind']> = new Set<OrgEvent['kind']>(['expires-soon', 'secret-ends', 'certificate-ends']);
const MORE = `This message contains the first ${LIMITS.deliveryEvents.toLocaleString('en')} events of the day. There may be more.`;
const TEST = 'This is a test message: nothing is wrong. Messages about the sites of the organization arrive in the same way.';
const SENTENCES: Readonly<Record<OrgEvent['kind'], Readonly<Record<OrgEvent['phase'], string>>>> = {
  'sync-failed': { began: 'failed', ended: 'works again' },
  'sync-silent': { began: 'is outdated: no sync followed a push', ended: 'is up to date again' },
  'check-failed': { began: 'failed', ended: 'passes again' },
  drift: { began: 'differ', ended: 'match again' },
  'expires-soon': { began: 'expires soon', ended: 'has expired or was revoked' },
  'secret-ends': { began: 'expires soon', ended: 'was replaced or removed' },
  'certificate-ends': { began: 'expires soon', ended: 'is valid again, or no site uses its host anymore' },
  'rollout-stopped': { began: 'stopped', ended: 'was resumed or undone' },
};
const ADVICE: Readonly<Partial<Record<OrgEvent['kind'], string>>> = {
  'sync-failed': 'The previous code is still served.',
  'sync-silent': 'Start a sync, and check the webhook of the repository.',
  'expires-soon': 'Create a new key, then revoke this one.',
  'secret-ends': 'Set a new value.',
  'certificate-ends': 'Renew it, or ask whoever runs the host to renew it.',
  'rollout-stopped': 'Check its sites, then resume or undo it.',
};

/** Text by others must not end a line, in the text or in a header, nor change the direction of what follows it. */
function oneLine(text: string): string {
  return text
    .replaceAll(/[\u202A-\u202E\u2066-\u2069]/g, '')
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim();
}
