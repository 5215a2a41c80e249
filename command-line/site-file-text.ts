import { jsonPointer } from '@repoless/contract/errors.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { SiteFile } from '@repoless/contract/site-file.ts';
import { commandLine as messages } from '@repoless/core/messages/en/command-line.ts';
import { Composer, type CST, type Document, isAlias, isMap, isNode, isPair, isSeq, Lexer, LineCounter, Parser, visit } from 'yaml';
import type { z } from 'zod';
import { type FileLocation, UsageProblem } from './cli-context.ts';

export interface ParsedFile<T = SiteFile> {
  readonly value: T;
  /** Location of a value in the text, for problems found later. */
  locationOf(path: readonly PropertyKey[], sentence: string): FileLocation;
}

/** Reads the declarative file. Throws UsageProblem. */
export function parseSiteFile(name: string, text: string): ParsedFile {
  return parseFile(name, text, SiteFile);
}

/** Reads a file, YAML or JSON (which is YAML), by its schema. Throws UsageProblem with the location of every invalid line. */
export function parseFile<S extends z.ZodType>(name: string, text: string, schema: S): ParsedFile<z.output<S>> {
  const { lines, read: document } = readDocument(text);
  const at = (offset: number, path: readonly PropertyKey[], sentence: string): FileLocation => {
    const { line, col } = lines.linePos(offset);
    return { file: name, line: Math.max(1, line), column: Math.max(1, col), pointer: jsonPointer(path), sentence };
  };
  if ('sentence' in document) throw invalidFile([at(document.offset, [], document.sentence)]);
  const unresolved = aliasProblems(document);
  const broken = document.errors.flatMap(({ pos: [offset], message }) =>
    unresolved.some((alias) => alias.offset === offset) ? [] : { offset, sentence: message },
  );
  const conflict = broken.length === 0 ? -1 : text.search(CONFLICT);
  if (conflict >= 0) throw invalidFile([at(conflict, [], messages.file.conflict)]);
  const problems = [...unresolved, ...broken].toSorted((one, other) => one.offset - other.offset);
  if (problems.length > 0) throw invalidFile(problems.map(({ offset, sentence }) => at(offset, [], sentence)));
  const locationOf = (path: readonly PropertyKey[], sentence: string) => at(offsetOf(document, path), path, sentence);
  const converted = valueOf(document);
  if ('problem' in converted) throw invalidFile([at(converted.problem.offset, [], converted.problem.sentence)]);
  const { value } = converted;
  if (value === null || value === undefined) throw invalidFile([at(0, [], messages.file.empty)]);
  const parsed = schema.safeParse(value, { error: sentenceOf });
  if (parsed.success) return { value: parsed.data, locationOf };
  throw invalidFile(parsed.error.issues.flatMap((issue) => locationsOf(issue, [], locationOf)));
}

/** The first line of a conflict that git did not merge. */
const CONFLICT = /^<{7} /m;

/** If there are very many errors, only the first ones are reported. */
export function invalidFile(locations: readonly FileLocation[]): UsageProblem {
  const reported = locations.slice(0, LIMITS.reportedErrors);
  return new UsageProblem(messages.file.count(locations.length, reported.length), reported);
}

/** The offset of a value; if it is missing, that of its parent. */
function offsetOf(document: Document, path: readonly PropertyKey[]): number {
  let node: unknown = document.contents;
  let offset = isNode(node) ? (node.range?.[0] ?? 0) : 0;
  for (const key of path) {
    const next: unknown = isMap(node) ? pairOf(node, key) : isSeq(node) ? node.items[Number(key)] : undefined;
    const value: unknown = isPair(next) ? next.value : next;
    const target: unknown = isNode(value) ? value : isPair(next) ? next.key : undefined;
    if (!isNode(target)) return offset;
    offset = target.range?.[0] ?? offset;
    node = value;
  }
  return offset;
}

function pairOf(map: { readonly items: readonly unknown[] }, key: PropertyKey): unknown {
  return map.items.find((pair) => isPair(pair) && String(pair.key) === String(key));
}

type LocationOf = ParsedFile['locationOf'];

function locationsOf(issue: z.core.$ZodIssue, above: readonly PropertyKey[], locationOf: LocationOf): FileLocation[] {
  const path = [...above, ...issue.path];
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => locationOf([...path, key], messages.file.unknownProperty(key)));
  if (issue.code === 'invalid_union') {
    const depth = (branch: readonly z.core.$ZodIssue[]) => Math.max(0, ...branch.map((one) => one.path.length));
    const [closest] = issue.errors.toSorted((one, other) => depth(other) - depth(one));
    if (closest !== undefined && depth(closest) > 0) return closest.flatMap((one) => locationsOf(one, path, locationOf));
  }
  return [locationOf(path, issue.message)];
}

/** Messages for issues for which the contract has none. */
export function sentenceOf(issue: z.core.$ZodRawIssue): string | undefined {
  const name = issue.path?.at(-1);
  if (issue.input === undefined && ABSENT.includes(issue.code))
    return typeof name === 'string' ? messages.file.required(name) : messages.file.valueRequired;
  switch (issue.code) {
    case 'invalid_type':
      return messages.file.wrongType(issue.expected);
    case 'invalid_value':
      return messages.file.notOneOf(issue.values.map((value) => JSON.stringify(value)).join(' or '));
    case 'invalid_union':
      return issue.discriminator === undefined ? messages.file.noForm : kindSentence(issue.discriminator, issue);
    case 'too_big':
      return messages.file.atMost(String(issue.maximum), issue.origin);
    case 'too_small':
      return messages.file.atLeast(String(issue.minimum), issue.origin);
    default:
      return undefined;
  }
}

/** A union whose members are told apart by one property: it is missing, or has an unknown value. */
function kindSentence(name: string, { input, options = [] }: { readonly input?: unknown; readonly options?: readonly unknown[] }): string {
  const isPresent = typeof input === 'object' && input !== null && name in input;
  const allowed = messages.file.notOneOf(options.map((one) => JSON.stringify(one)).join(' or '));
  return isPresent ? allowed : `${messages.file.required(name)} ${allowed}`;
}

/** Codes of an issue whose value is missing. */
const ABSENT: readonly string[] = ['invalid_type', 'invalid_value', 'invalid_union', 'custom'];

export interface TextProblem {
  readonly offset: number;
  readonly sentence: string;
}

export interface ReadDocument {
  readonly lines: LineCounter;
  /** Syntax errors are among the errors of the document. */
  readonly read: Document.Parsed | TextProblem;
}

/** Entries of a list or of a mapping: as many as a file may have sites. */
const MAX_ENTRIES = 50_000;
/** Names, values, marks and line breaks: the time to read a file grows with their number. */
const MAX_TOKENS = 3_000_000;

/**
 * Parses a text as one YAML document. Depth and counts are checked on the tokens, before any value is built, because building recurses into
 * each level.
 */
export function readDocument(text: string): ReadDocument {
  const lines = new LineCounter();
  let problem: TextProblem | undefined;
  const tokens = limitedTokens(text, lines, (found) => (problem = found));
  let first: Document.Parsed | undefined;
  for (const document of new Composer({ lineCounter: lines, prettyErrors: false }).compose(tokens, true, text.length)) {
    if (first !== undefined && problem === undefined) problem = { offset: document.range[0], sentence: messages.file.oneDocument };
    if (problem !== undefined) return { lines, read: problem };
    first = document;
  }
  // An empty text is a document, too.
  return { lines, read: problem ?? first ?? { offset: 0, sentence: messages.file.empty } };
}

function* limitedTokens(text: string, lines: LineCounter, refuse: (problem: TextProblem) => void): Generator<CST.Token> {
  const parser = new Parser(lines.addNewLine);
  lines.addNewLine(0);
  let count = 0;
  for (const lexeme of new Lexer().lex(text)) {
    yield* parser.next(lexeme);
    count += 1;
    const sentence = count > MAX_TOKENS ? messages.file.manyTokens(MAX_TOKENS) : limitProblem(parser.stack);
    if (sentence !== undefined) return refuse({ offset: Math.min(parser.offset, text.length), sentence });
  }
  yield* parser.end();
}

/** Takes the collections that are open at a position in the text, the innermost last. */
function limitProblem(open: readonly CST.Token[]): string | undefined {
  // The document itself and the text at the position do not count as levels.
  if (open.length > LIMITS.bodyDepth + 2) return messages.file.deep(LIMITS.bodyDepth);
  const inner = open.at(-1);
  return inner !== undefined && 'items' in inner && inner.items.length > MAX_ENTRIES ? messages.file.manyEntries(MAX_ENTRIES) : undefined;
}

/** Maximum nodes that all aliases of a file may expand to. */
const MAX_ALIAS_NODES = 1000;

/** Aliases without an anchor, which any unquoted text that starts with an asterisk is parsed as, and aliases within their own anchor. */
export function aliasProblems(document: Document): TextProblem[] {
  const anchors = new Set<string>();
  const problems: TextProblem[] = [];
  visit(document, (_key, node, above) => {
    if (!isNode(node)) return;
    if (!isAlias(node)) {
      if ('anchor' in node && typeof node.anchor === 'string') anchors.add(node.anchor);
      return;
    }
    const { source } = node;
    const sentence = !anchors.has(source)
      ? messages.file.noAnchor(source)
      : above.some((one) => isNode(one) && 'anchor' in one && one.anchor === source)
        ? messages.file.ownAnchor(source)
        : undefined;
    if (sentence !== undefined) problems.push({ offset: node.range?.[0] ?? 0, sentence });
  });
  return problems;
}

/** The value of a document whose aliases all resolve; a problem at the first of them if they expand without limit. */
export function valueOf(document: Document): { readonly value: unknown } | { readonly problem: TextProblem } {
  try {
    return { value: document.toJS({ maxAliasCount: MAX_ALIAS_NODES }) };
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error;
    return { problem: { offset: firstAlias(document), sentence: messages.file.manyAliases } };
  }
}

function firstAlias(document: Document): number {
  let offset = 0;
  visit(document, {
    Alias: (_key, { range }) => {
      offset = range?.[0] ?? 0;
      return visit.BREAK;
    },
  });
  return offset;
}

/** The most frequent value, which a file states once for all sites. Throws for an empty list. */
export function mostFrequent<T>(values: readonly T[]): T {
  const counts = new Map<string, { readonly value: T; count: number }>();
  for (const value of values) {
    const key = JSON.stringify(value);
    const counted = counts.get(key) ?? { value, count: 0 };
    counted.count += 1;
    counts.set(key, counted);
  }
  const [first] = [...counts.values()].toSorted((one, other) => other.count - one.count);
  if (first === undefined) throw new RangeError('There is nothing to choose from.');
  return first.value;
}
