import { CST, isPair, isScalar, Lexer, LineCounter, parseDocument, visit } from 'yaml';
import type { Document, Node } from 'yaml';
import { LIMITS } from '@repoless/contract/limits.ts';

/** Why a text cannot be parsed; `line` and `column` count from 1. */
export interface YamlProblem {
  readonly line?: number;
  readonly column?: number;
  /** A sentence for a person about what was found. */
  readonly detail: string;
}

/** Maximum characters, tokens and levels of a text to parse. */
export interface YamlLimits {
  readonly length: number;
  readonly tokens: number;
  readonly depth: number;
}

interface YamlOptions {
  readonly limits: YamlLimits;
  /** `<<` merges objects, as in YAML 1.1: without a limit, on a thread with a deadline, or with the same limit as aliases. */
  readonly merge: 'unbounded' | 'counted';
}

const LIBRARY = { CST, isPair, isScalar, Lexer, LineCounter, parseDocument, visit } as const;

export interface YamlRead {
  readonly value: unknown;
  /** The parsed document, for positions of values. */
  readonly document: Document;
  readonly lineCounter: LineCounter;
}

const PROJECT_FILE: YamlLimits = { length: LIMITS.projectFileLength, tokens: LIMITS.projectFileTokens, depth: LIMITS.projectFileDepth };

/** Parses YAML (or JSON, which is YAML); "<<" merges objects. Texts over the limits are not parsed: the parser is recursive. */
export function readYaml(text: string): YamlRead | { problem: YamlProblem } {
  return readYamlBy(LIBRARY, text, { limits: PROJECT_FILE, merge: 'counted' });
}

/** `readYaml` with a given library and limits. A thread runs the source of this function, so it uses nothing else. */
export function readYamlBy(library: typeof LIBRARY, text: string, { limits, merge }: YamlOptions): YamlRead | { problem: YamlProblem } {
  const exceeded = limitProblem();
  if (exceeded !== undefined) return { problem: { detail: exceeded } };
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

  function limitProblem(): string | undefined {
    if (text.length > limits.length) return `It has more than ${limits.length} characters.`;
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
      if (depth + inLine > limits.depth) return `It is nested more than ${limits.depth} levels deep.`;
      if (tokens > limits.tokens) return 'It has too many entries.';
    }
    return undefined;
  }

  /**
   * The library limits how much aliases expand to; since 2.9 that includes merged ones, while the public service uses an older version.
   * Such an alias is resolved here.
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

  /** Aliases that contain each other expand without end, and the parser stops; or they refer to nothing. */
  function referenceProblem(thrown: unknown): string {
    if (thrown instanceof RangeError) return 'It has a value that contains itself.';
    if (!(thrown instanceof ReferenceError)) return 'It has "<<" with a value that is not an object.';
    if (thrown.message.startsWith('Unresolved')) return 'It has an alias "*" without an anchor "&" before it.';
    return 'It has too many aliases. Write out their values.';
  }
}
