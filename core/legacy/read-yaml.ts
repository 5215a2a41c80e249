import { CST, isPair, isScalar, Lexer, LineCounter, parseDocument, visit } from 'yaml';
import type { Document, Node } from 'yaml';
import { LIMITS } from '@repoless/contract/limits.ts';

/** Why a text cannot be read; `line` and `column` count from 1. */
export interface YamlProblem {
  readonly line?: number;
  readonly column?: number;
  /** A sentence about what is there, for a person. */
  readonly detail: string;
}

/** Characters, tokens and levels of a text that is parsed. */
export interface YamlBounds {
  readonly length: number;
  readonly tokens: number;
  readonly depth: number;
}

interface YamlOptions {
  readonly bounds: YamlBounds;
  /** `<<` lays one object over another, as in YAML 1.1: without a bound, on a thread that ends with its deadline, or counted as aliases are. */
  readonly merge: 'unbounded' | 'counted';
}

const LIBRARY = { CST, isPair, isScalar, Lexer, LineCounter, parseDocument, visit } as const;

export interface YamlRead {
  readonly value: unknown;
  /** What it was made of, for the places of what is in it. */
  readonly document: Document;
  readonly lineCounter: LineCounter;
}

const PROJECT_FILE: YamlBounds = { length: LIMITS.projectFileLength, tokens: LIMITS.projectFileTokens, depth: LIMITS.projectFileDepth };

/**
 * The value of a YAML text; JSON is YAML, and "<<" lays one object over another. What is too large or too deep is not parsed: the parser
 * calls itself for each level.
 */
export function readYaml(text: string): YamlRead | { problem: YamlProblem } {
  return readYamlBy(LIBRARY, text, { bounds: PROJECT_FILE, merge: 'counted' });
}

/** The same by a library and within bounds that are given. A thread runs the source of this function, so it uses nothing else. */
export function readYamlBy(library: typeof LIBRARY, text: string, { bounds, merge }: YamlOptions): YamlRead | { problem: YamlProblem } {
  const bound = boundProblem();
  if (bound !== undefined) return { problem: { detail: bound } };
  const lineCounter = new library.LineCounter();
  const document = library.parseDocument(text, { lineCounter, merge: true, logLevel: 'error' });
  const [error] = document.errors;
  if (error !== undefined) {
    const { line, col: column } = lineCounter.linePos(error.pos[0]);
    return { problem: { line, column, detail: 'It cannot be parsed.' } };
  }
  try {
    if (merge === 'unbounded') leaveMergesUncounted(document);
    return { value: document.toJSON(), document, lineCounter };
  } catch (thrown) {
    return { problem: { detail: referenceProblem(thrown) } };
  }

  function boundProblem(): string | undefined {
    if (text.length > bounds.length) return `It has more than ${bounds.length} characters.`;
    let tokens = 0;
    let depth = 0;
    let inLine = 0;
    for (const lexeme of new library.Lexer().lex(text)) {
      const type = library.CST.tokenType(lexeme);
      tokens += 1;
      if (type === 'newline') inLine = 0;
      if (type === 'seq-item-ind' || type === 'explicit-key-ind') inLine += 1;
      if (type === 'flow-seq-start' || type === 'flow-map-start') depth += 1;
      if (type === 'flow-seq-end' || type === 'flow-map-end') depth -= 1;
      if (depth + inLine > bounds.depth) return `It is nested more than ${bounds.depth} levels deep.`;
      if (tokens > bounds.tokens) return 'It has too many entries.';
    }
    return undefined;
  }

  /**
   * The library counts what aliases stand for, and gives up; since 2.9 it counts those that are merged, too, while the public service reads with an
   * older one. Such an alias is told what it stands for.
   */
  function leaveMergesUncounted(document: Document): void {
    const anchored = new Map<string, Node>();
    library.visit(document, {
      Alias(_, alias, path) {
        const pair = path.findLast((ancestor, at) => at >= path.length - 2 && library.isPair(ancestor));
        const isMerged = library.isPair(pair) && library.isScalar(pair.key) && pair.key.source === '<<';
        const found = anchored.get(alias.source);
        if (isMerged && found !== undefined) Object.assign(alias, { resolve: () => found });
      },
      Value: (_, node) => void (node.anchor === undefined || anchored.set(node.anchor, node)),
    });
  }

  /** Aliases that stand for each other grow without end, and the parser gives up; or they stand for nothing. */
  function referenceProblem(thrown: unknown): string {
    if (thrown instanceof RangeError) return 'It has a value that contains itself.';
    if (!(thrown instanceof ReferenceError)) return 'It has "<<" with a value that is not an object.';
    if (thrown.message.startsWith('Unresolved')) return 'It has an alias "*" without an anchor "&" before it.';
    return 'It has too many aliases. Write out their values.';
  }
}
