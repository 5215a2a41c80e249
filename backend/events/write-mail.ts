import type { OrgEvent } from '#contract/event.ts';
import type { Message } from './start-telling.ts';

/** Subject and text of an e-mail: plain sentences, and where to read on. In: the address of the service. */
export function writeMail({ org, events }: Message, address: string): { readonly subject: string; readonly text: string } {
  const [first] = events;
  const subject =
    events.length === 1 && first !== undefined
      ? `${org}: ${headline(first)}`
      : `${org}: ${events.length} events, ${events.filter(({ open }) => open).length} of them still to be seen to`;
  const text = [
    ...events.map(sentences),
    `All events: ${address}/config/${org}/events.json`,
    'You receive this because of a subscription of the organization. Its administrators can change it.',
  ].join('\n\n');
  return { subject: oneLine(subject), text: `${text}\n` };
}

function headline({ phase, ...event }: OrgEvent): string {
  return phase === 'ended' ? `in order again: ${what(event)}` : what(event);
}

function what({ kind, site, repository, ref, about }: Omit<OrgEvent, 'phase'>): string {
  const place = site === undefined ? '' : ` of site ${site}`;
  switch (kind) {
    case 'sync-failed':
      return `the code sync of ${repository ?? 'a repository'}, branch ${ref ?? 'main'}`;
    case 'check-failed':
      return `the check ${about ?? ''}${place}`;
    case 'drift':
      return `what is set${place} and what was planned`;
    case 'expires-soon':
      return `the API key ${about ?? ''}${place}`;
    default:
      return kind satisfies never;
  }
}

function sentences(event: OrgEvent): string {
  const began = event.phase === 'began';
  const lines = [`${event.time}  ${oneLine(what(event))} ${began ? BEGAN[event.kind] : ENDED[event.kind]}`];
  if (event.detail !== undefined) lines.push(event.kind === 'expires-soon' ? `It ends at ${event.detail}.` : oneLine(event.detail));
  return lines.join('\n');
}

const BEGAN: Readonly<Record<OrgEvent['kind'], string>> = {
  'sync-failed': 'failed. The code of before is served.',
  'check-failed': 'failed.',
  drift: 'differ.',
  'expires-soon': 'ends soon. Make a new one, and revoke it.',
};
const ENDED: Readonly<Record<OrgEvent['kind'], string>> = {
  'sync-failed': 'is in order again.',
  'check-failed': 'is in order again.',
  drift: 'agree again.',
  'expires-soon': 'is gone.',
};

/** What others wrote does not end a line, of the text or of a header. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();
}
