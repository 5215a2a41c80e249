import { setImmediate } from 'node:timers/promises';
import { Tokenizer } from 'htmlparser2';

/**
 * The content of a fragment: the inside of the page's main element, from its first start tag to its last end tag, unchanged. Undefined if
 * there is none. Uses only the tokenizer, so the time is linear in the length of the page, and yields in between.
 */
export async function insideOfMain(markup: string): Promise<string | undefined> {
  let isMain = false;
  let start: number | undefined;
  let end: number | undefined;
  const tokenizer = new Tokenizer(
    { decodeEntities: false },
    {
      ...NOTHING,
      onopentagname(from, to) {
        isMain = start === undefined && named(markup, from, to);
      },
      onopentagend(at) {
        if (isMain) start = at + 1;
        isMain = false;
      },
      onclosetag(from, to) {
        if (start !== undefined && named(markup, from, to)) end = markup.lastIndexOf('</', from);
      },
    },
  );
  for (let at = 0; at < markup.length; at += PIECE) {
    if (at > 0) await setImmediate();
    tokenizer.write(markup.slice(at, at + PIECE));
  }
  tokenizer.end();
  return start === undefined || end === undefined ? undefined : markup.slice(start, end);
}

function named(markup: string, from: number, to: number): boolean {
  return to - from === 4 && markup.slice(from, to).toLowerCase() === 'main';
}

/** Characters; at most several milliseconds of work. */
const PIECE = 200_000;

const nothing = () => undefined;
const NOTHING = {
  onattribdata: nothing,
  onattribend: nothing,
  onattribentity: nothing,
  onattribname: nothing,
  oncdata: nothing,
  onclosetag: nothing,
  oncomment: nothing,
  ondeclaration: nothing,
  onend: nothing,
  onopentagend: nothing,
  onopentagname: nothing,
  onprocessinginstruction: nothing,
  onselfclosingtag: nothing,
  ontext: nothing,
  ontextentity: nothing,
};
