import type { Change } from '../history/change.ts';
import type { MessagesOf } from './language.ts';

/** Maximum number of entries that a sentence names; the JSON next to it has all. */
const NAMED = 6;
const LONG = 160;

/** A change as a sentence: "Administrators: ben@example.com removed". */
export function changeSentence(messages: MessagesOf<'history'>, change: Change): string {
  const { sentences } = messages;
  switch (change.kind) {
    case 'created':
    case 'returned':
    case 'removed':
    case 'same':
      return messages.wholes[change.kind];
    case 'list': {
      const name = listName(messages, change);
      const added = named(messages, change.added);
      const removed = named(messages, change.removed);
      if (change.removed.length === 0) return sentences.added({ name, entries: added });
      if (change.added.length > 0) return sentences.both({ name, added, removed });
      return change.left === 0 ? sentences.emptied({ name, removed }) : sentences.removed({ name, entries: removed });
    }
    case 'order':
      return sentences.order({ name: listName(messages, change) });
    case 'mapping':
      return sentences.mapping({ publicPath: change.publicPath, from: change.from, to: change.to });
    case 'field': {
      if (change.field === 'includes' && change.to !== undefined) return sentences.includesSet({ to: change.to });
      if (change.field === 'includes') return sentences.includesUnset({ from: change.from ?? '–' });
      const of = change.of === undefined ? '' : ` ${hostName(messages, change.of)}`;
      return valueSentence(messages, `${messages.fields[change.field]}${of}`, change);
    }
    case 'inclusion':
      return sentences.inclusion[change.includes];
    case 'other':
      return valueSentence(messages, change.pointer, change);
    default:
      return change satisfies never;
  }
}

function listName(messages: MessagesOf<'history'>, { list, of }: Extract<Change, { kind: 'list' | 'order' }>): string {
  if (of === undefined) return messages.lists[list];
  return `${messages.lists[list]} ${list === 'hostAllow' ? hostName(messages, of) : of}`.trim();
}

function hostName({ hosts }: MessagesOf<'history'>, host: string): string {
  return Object.entries(hosts).find(([id]) => id === host)?.[1] ?? host;
}

function valueSentence({ sentences }: MessagesOf<'history'>, name: string, { from, to }: { from?: string; to?: string }): string {
  const isText = [from, to].some((value) => value !== undefined && (value.length > LONG || value.includes('\n')));
  if (from === undefined) return isText ? sentences.textSet({ name }) : sentences.set({ name, to: to ?? '–' });
  if (to === undefined) return isText ? sentences.textUnset({ name }) : sentences.unset({ name, from });
  return isText ? sentences.textChanged({ name }) : sentences.changed({ name, from, to });
}

/** Entries as a list in the reader's language; of many, the first ones and the number of the others. */
function named(messages: MessagesOf<'history'>, entries: readonly string[]): string | readonly string[] {
  if (entries.length <= NAMED) return entries;
  return `${entries.slice(0, NAMED).join(', ')} ${messages.more({ count: entries.length - NAMED })}`;
}
