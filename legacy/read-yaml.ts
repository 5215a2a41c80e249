import { CST, Lexer, LineCounter, parseDocument } from 'yaml';
import { LIMITS } from '#contract/limits.ts';

/** Why a text cannot be read; `line` and `column` count from 1. */
export interface YamlProblem {
  readonly line?: number;
  readonly column?: number;
  /** A sentence about what is there, for a person. */
  readonly detail: string;
}

/**
 * The value of a YAML text; JSON is YAML. What is too large or too deep is not parsed: the parser calls itself for each level.
 * `merge`: `<<` lays one object over another, as in YAML 1.1.
 */
export function readYaml(
  text: string,
  { merge = false }: { readonly merge?: boolean } = {},
): { value: unknown } | { problem: YamlProblem } {
  const bound = boundProblem(text);
  if (bound !== undefined) return { problem: { detail: bound } };
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, merge });
  const [error] = document.errors;
  if (error !== undefined) {
    const { line, col: column } = lineCounter.linePos(error.pos[0]);
    return { problem: { line, column, detail: 'It cannot be parsed.' } };
  }
  try {
    return { value: document.toJS() };
  } catch (error) {
    return { problem: { detail: referenceProblem(error) } };
  }
}

/** Aliases that stand for each other grow without end, and the parser gives up; or they stand for nothing. */
function referenceProblem(error: unknown): string {
  if (!(error instanceof ReferenceError)) return 'It has "<<" with a value that is not an object.';
  if (error.message.startsWith('Unresolved')) return 'It has an alias "*" without an anchor "&" before it.';
  return 'It has too many aliases. Write out their values.';
}

function boundProblem(text: string): string | undefined {
  if (text.length > LIMITS.projectFileLength) return `It has more than ${LIMITS.projectFileLength} characters.`;
  let tokens = 0;
  let depth = 0;
  let inLine = 0;
  for (const lexeme of new Lexer().lex(text)) {
    const type = CST.tokenType(lexeme);
    tokens += 1;
    if (type === 'newline') inLine = 0;
    if (type === 'seq-item-ind' || type === 'explicit-key-ind') inLine += 1;
    if (type === 'flow-seq-start' || type === 'flow-map-start') depth += 1;
    if (type === 'flow-seq-end' || type === 'flow-map-end') depth -= 1;
    if (depth + inLine > LIMITS.projectFileDepth) return `It is nested more than ${LIMITS.projectFileDepth} levels deep.`;
    if (tokens > LIMITS.projectFileTokens) return 'It has too many entries.';
  }
  return undefined;
}
