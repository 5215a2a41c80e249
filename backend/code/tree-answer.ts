import { z } from 'zod';
import { createTimeSlices, yieldToEventLoop } from '../domain/fair-share.ts';
import { readJson } from '../domain/documents.ts';

/** Sent by others: only the required members are parsed. */
const Entry = z.looseObject({
  path: z.string(),
  mode: z.string().optional(),
  type: z.string(),
  sha: z.string(),
  size: z.number().optional(),
});
export type TreeEntry = z.infer<typeof Entry>;
const Rest = z.looseObject({ truncated: z.boolean().optional(), tree: z.array(z.never()) });

/**
 * Reads the answer to `git/trees/{sha}` entry by entry and yields in between: such answers have megabytes and come from tenants. `take`
 * receives each entry and ends the reading by throwing. Returns whether the host reports that the list is incomplete; undefined if the
 * answer has another form.
 */
export async function readTreeAnswer(bytes: Uint8Array, take: (entry: TreeEntry) => void): Promise<{ truncated: boolean } | undefined> {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const nextEntry = entriesOf(text);
  const turn = createTimeSlices();
  let before = '';
  let read = 0;
  for (;;) {
    const found = nextEntry();
    if (found === 'end') break;
    if (found === 'piece') {
      await yieldToEventLoop();
      continue;
    }
    await turn();
    const isLong = found.start - read > LONGEST_PIECE || found.end - found.start > LONGEST_PIECE;
    const entry = Entry.safeParse(isLong ? undefined : readJson(text.toString('utf8', found.start, found.end)));
    if (!entry.success) return undefined;
    take(entry.data);
    if (read === 0) before = text.toString('utf8', 0, found.start);
    read = found.end;
  }
  // Without its entries, the rest is a small answer with an empty list.
  const rest = Rest.safeParse(text.length - read > LONGEST_PIECE ? undefined : readJson(`${before}${text.toString('utf8', read)}`));
  return rest.success ? { truncated: rest.data.truncated === true } : undefined;
}

/** Walks through the answer. Each call returns where the next object of its list `tree` is, or that a piece has none. */
function entriesOf(text: Buffer): () => { readonly start: number; readonly end: number } | 'piece' | 'end' {
  let at = 0;
  let depth = 0;
  let start = 0;
  let isText = false;
  let isTree = false;
  return () => {
    if (at >= text.length) return 'end';
    for (const until = at + PIECE; at < until && at < text.length; at += 1) {
      const byte = text[at];
      if (isText) {
        if (byte === BACKSLASH) at += 1;
        else if (byte === QUOTE) isText = false;
      } else if (byte === QUOTE) isText = true;
      else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
        depth += 1;
        if (depth === LIST_DEPTH) isTree = byte === OPEN_LIST && isNamedTree(text, at);
        else if (depth === LIST_DEPTH + 1) start = at;
      } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
        depth -= 1;
        if (depth !== LIST_DEPTH || !isTree || byte !== CLOSE_OBJECT) continue;
        at += 1;
        return { start, end: at };
      }
    }
    return 'piece';
  };
}

function isNamedTree(text: Buffer, list: number): boolean {
  return /"tree"\s*:\s*$/.test(text.toString('latin1', Math.max(0, list - 50), list));
}

/** Bytes processed at once. */
const PIECE = 1024 * 1024;
/** Bytes of an entry, and of the other members. */
const LONGEST_PIECE = 16 * 1024;
/** The answer, and its list. */
const LIST_DEPTH = 2;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
