import { Composer, Lexer, LineCounter, Parser } from 'yaml';
import type { CST, Document } from 'yaml';
import { LIMITS } from '#contract/limits.ts';
import { file as messages } from '#extension/messages/en/command-line-file.ts';

export interface TextProblem {
  readonly offset: number;
  readonly sentence: string;
}

export interface ReadDocument {
  readonly lines: LineCounter;
  /** What is wrong with its syntax is among the errors of the document. */
  readonly read: Document.Parsed | TextProblem;
}

/** Entries of a list or of a mapping: as many as a file may have sites. */
const MOST_ENTRIES = 50_000;
/** Names, values, marks and line breaks: what the time of reading grows with. */
const MOST_TOKENS = 3_000_000;

/**
 * Reads a text as one YAML document. Depth and number are counted as the text is cut into tokens, before anything is made of them: whoever makes
 * values of it calls itself for each level.
 */
export function readDocument(text: string): ReadDocument {
  const lines = new LineCounter();
  let problem: TextProblem | undefined;
  const tokens = boundedTokens(text, lines, (found) => (problem = found));
  let first: Document.Parsed | undefined;
  for (const document of new Composer({ lineCounter: lines, prettyErrors: false }).compose(tokens, true, text.length)) {
    if (first !== undefined && problem === undefined) problem = { offset: document.range[0], sentence: messages.oneDocument };
    if (problem !== undefined) return { lines, read: problem };
    first = document;
  }
  // A text without anything is a document, too.
  return { lines, read: problem ?? first ?? { offset: 0, sentence: messages.empty } };
}

function* boundedTokens(text: string, lines: LineCounter, refuse: (problem: TextProblem) => void): Generator<CST.Token> {
  const parser = new Parser(lines.addNewLine);
  lines.addNewLine(0);
  let count = 0;
  for (const lexeme of new Lexer().lex(text)) {
    yield* parser.next(lexeme);
    count += 1;
    const sentence = count > MOST_TOKENS ? messages.manyTokens(MOST_TOKENS) : tooMuch(parser.stack);
    if (sentence !== undefined) return refuse({ offset: Math.min(parser.offset, text.length), sentence });
  }
  yield* parser.end();
}

/** In: what is open at a place of the text, the innermost last. */
function tooMuch(open: readonly CST.Token[]): string | undefined {
  // The document itself, and the text at the place, are no levels.
  if (open.length > LIMITS.bodyDepth + 2) return messages.deep(LIMITS.bodyDepth);
  const inner = open.at(-1);
  return inner !== undefined && 'items' in inner && inner.items.length > MOST_ENTRIES ? messages.manyEntries(MOST_ENTRIES) : undefined;
}
