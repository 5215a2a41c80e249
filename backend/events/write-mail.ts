import type { OrgEvent } from '#contract/event.ts';
import type { Message } from './start-telling.ts';

/** Subject and text of an e-mail: plain sentences, and where to read on. In: the address of the service. */
export function writeMail({ org, events }: Message, address: string): { readonly subject: string; readonly text: string } {
  const [first] = events;
  if (first === undefined) return { subject: oneLine(`${org}: test message`), text: `${[TEST, ...footer(org, address)].join('\n\n')}\n` };
  const subject =
    events.length === 1
      ? `${org}: ${statement(first)}`
      : `${org}: ${events.length} events, ${events.filter(({ open }) => open).length} still open`;
  const text = [...events.map(sentences), ...footer(org, address)].join('\n\n');
  return { subject: oneLine(subject), text: `${text}\n` };
}

function footer(org: string, address: string): string[] {
  return [
    `All events: ${address}/config/${org}/events.json`,
    'You receive this because of a subscription of the organization. Its administrators can change it.',
  ];
}

function statement(event: OrgEvent): string {
  return `${what(event)} ${SAID[event.kind][event.phase]}`;
}

function what({ kind, site, repository, ref, about }: OrgEvent): string {
  const place = site === undefined ? '' : ` of site ${site}`;
  switch (kind) {
    case 'sync-failed':
      return `the code sync of ${repository ?? 'a repository'}, branch ${ref ?? 'main'}`;
    case 'sync-silent':
      return `the code of ${repository ?? 'a repository'}, branch ${ref ?? 'main'}`;
    case 'check-failed':
      return `the check ${about ?? ''}${place}`;
    case 'drift':
      return `the settings${place} in the authoring system and in the service`;
    case 'expires-soon':
      return `the API key ${about ?? ''}${place}`;
    case 'rollout-stopped':
      return `the rollout “${about ?? ''}”`;
    default:
      return kind satisfies never;
  }
}

function sentences(event: OrgEvent): string {
  const advice = event.phase === 'began' ? ADVICE[event.kind] : undefined;
  const lines = [`${event.time}  ${oneLine(statement(event))}.${advice === undefined ? '' : ` ${advice}`}`];
  if (event.detail !== undefined) lines.push(event.kind === 'expires-soon' ? `It expires at ${event.detail}.` : oneLine(event.detail));
  return lines.join('\n');
}

const TEST = 'This is a test message: nothing is wrong. Messages about the sites of the organization arrive in the same way.';
const SAID: Readonly<Record<OrgEvent['kind'], Readonly<Record<OrgEvent['phase'], string>>>> = {
  'sync-failed': { began: 'failed', ended: 'is in order again' },
  'sync-silent': { began: 'is not the newest: no sync followed a push', ended: 'is up to date again' },
  'check-failed': { began: 'failed', ended: 'is in order again' },
  drift: { began: 'differ', ended: 'match again' },
  'expires-soon': { began: 'expires soon', ended: 'has expired or was revoked' },
  'rollout-stopped': { began: 'stopped by itself', ended: 'goes on, or is undone' },
};
const ADVICE: Readonly<Partial<Record<OrgEvent['kind'], string>>> = {
  'sync-failed': 'The previous code is still served.',
  'sync-silent': 'Start a sync, and check the webhook of the repository.',
  'expires-soon': 'Create a new key, then revoke this one.',
  'rollout-stopped': 'Look at its sites, then resume or undo it.',
};

/** What others wrote does not end a line, of the text or of a header. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();
}
