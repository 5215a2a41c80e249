import type { Change } from '@repoless/core/history/change.ts';
import { changeSentence } from '@repoless/core/messages/change-sentence.ts';
import { english } from '@repoless/core/messages/english.ts';

/**
 * Names, titles and messages that others wrote must not move the cursor or set the title of a terminal: control characters are shown as
 * escapes, which mean the same in JSON and YAML.
 */
export function harmless(text: string): string {
  return text.replaceAll(CONTROL, escaped);
}
const CONTROL = /(?![\t\n]|\r\n)\p{Cc}/gu;

/** A text that others wrote as a part of a line: it adds no lines that seem to be ours, and turns no writing direction around. */
export function onOneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu, escaped);
}

export function changeLine(change: Change): string {
  return onOneLine(changeSentence(english.history, change));
}

function escaped(character: string): string {
  return String.raw`\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
