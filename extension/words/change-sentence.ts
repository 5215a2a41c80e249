import type { Change } from '#extension/setup/history/change.ts';
import type { HistoryWords } from './history-words.ts';

/** The most entries that a sentence names; the JSON beside it has all. */
const NAMED = 6;
/** The longest value that a sentence repeats, in characters. */
const LONG = 160;

/** A change as a sentence: "Administrators: ben@example.com removed". */
export function changeSentence(words: HistoryWords, change: Change): string {
  const { sentences } = words;
  switch (change.kind) {
    case 'created':
    case 'returned':
    case 'removed':
    case 'same':
      return words.wholes[change.kind];
    case 'list': {
      const name = listName(words, change);
      const added = named(words, change.added);
      const removed = named(words, change.removed);
      if (change.removed.length === 0) return sentences.added(name, added);
      if (change.added.length > 0) return sentences.both(name, added, removed);
      return change.left === 0 ? sentences.emptied(name, removed) : sentences.removed(name, removed);
    }
    case 'order':
      return sentences.order(listName(words, change));
    case 'mapping':
      return sentences.mapping(change.publicPath, change.from, change.to);
    case 'field': {
      const of = change.of === undefined ? '' : ` ${words.hosts[change.of] ?? change.of}`;
      return valueSentence(words, `${words.fields[change.field]}${of}`, change);
    }
    case 'other':
      return valueSentence(words, change.pointer, change);
    default:
      return change satisfies never;
  }
}

function listName(words: HistoryWords, { list, of }: Extract<Change, { kind: 'list' | 'order' }>): string {
  if (of === undefined) return words.lists[list];
  return `${words.lists[list]} ${list === 'hostAllow' ? (words.hosts[of] ?? of) : of}`.trim();
}

function valueSentence({ sentences }: HistoryWords, name: string, { from, to }: { from?: string; to?: string }): string {
  const isText = [from, to].some((value) => value !== undefined && (value.length > LONG || value.includes('\n')));
  if (from === undefined) return isText ? sentences.textSet(name) : sentences.set(name, to ?? '–');
  if (to === undefined) return isText ? sentences.textUnset(name) : sentences.unset(name, from);
  return isText ? sentences.textChanged(name) : sentences.changed(name, from, to);
}

function named(words: HistoryWords, entries: readonly string[]): string {
  const shown = entries.slice(0, NAMED).join(', ');
  return entries.length > NAMED ? `${shown} ${words.more(entries.length - NAMED)}` : shown;
}
