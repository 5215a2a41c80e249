import { type FieldError, jsonPointer } from '@repoless/contract/errors.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { type Headers, isSettableHeader, RESERVED_HEADER } from '@repoless/contract/site-parts.ts';
import { RE2JS } from 're2js';

/** Headers of a site that cannot be sent, with pointers into the document. */
export function headerErrors(headers: Headers): FieldError[] {
  const reserved = Object.entries(headers).flatMap(([path, list]) =>
    list.flatMap(({ key }, index) =>
      isSettableHeader(key) ? [] : [{ pointer: jsonPointer(['headers', path, index, 'key']), detail: RESERVED_HEADER }],
    ),
  );
  return [...reserved, ...allowedOriginErrors(headers)].slice(0, LIMITS.reportedErrors);
}

/** The header whose value may name several origins: `https://a.example.com, /^https:\/\/.*\.example\.com$/`. */
export const ALLOWED_ORIGIN = 'access-control-allow-origin';

/**
 * Which origins a value allows; undefined if it is sent unchanged, because it is a single origin or `*`. An expression between slashes
 * matches anywhere in an origin, as in JavaScript. Expressions are evaluated by an engine with linear time (RE2), because tenants write
 * them; one that is too long, or was stored before it was checked and cannot be parsed, matches nothing.
 */
export function readAllowedOrigins(value: string): ((origin: string) => boolean) | undefined {
  const items = itemsOf(value);
  if (items.length === 1 && items[0]?.startsWith('/') !== true) return undefined;
  const named = new Set(items);
  const expressions = items.filter(isExpression);
  const isShort = expressions.reduce((sum, item) => sum + stepsOf(item), 0) <= LIMITS.originExpressions;
  const compiled = isShort ? expressions.flatMap((item) => compile(item) ?? []) : [];
  return (origin) => origin.length <= LIMITS.originLength && (named.has(origin) || compiled.some((one) => one.matcher(origin).find()));
}

/** Origins in the headers that cannot be evaluated, by pointers into the document. */
function allowedOriginErrors(headers: Headers): FieldError[] {
  const seen = new Set<string>();
  let steps = 0;
  return Object.entries(headers).flatMap(([path, list]) =>
    list.flatMap(({ key, value }, index) => {
      if (key.toLowerCase() !== ALLOWED_ORIGIN || seen.has(value)) return [];
      seen.add(value);
      const expressions = itemsOf(value).filter((item) => item.startsWith('/'));
      steps += expressions.reduce((sum, item) => sum + stepsOf(item), 0);
      const problem = steps > LIMITS.originExpressions ? TOO_LONG : expressions.map(expressionProblem).find((one) => one !== undefined);
      return problem === undefined ? [] : [{ pointer: jsonPointer(['headers', path, index, 'value']), detail: problem }];
    }),
  );
}

/** Separated by commas, except within an expression. */
function itemsOf(value: string): string[] {
  const items: string[] = [];
  for (const piece of value.split(',')) {
    const open = items.at(-1);
    if (open !== undefined && open.startsWith('/') && !isExpression(open) && piece.trimEnd().endsWith('/'))
      items[items.length - 1] = `${open},${piece.trimEnd()}`;
    else items.push(piece.trim());
  }
  return items;
}

function isExpression(item: string): boolean {
  return item.length > 1 && item.startsWith('/') && item.endsWith('/');
}

function expressionProblem(item: string): string | undefined {
  if (!isExpression(item))
    return `"${item.slice(0, SHOWN)}" begins with "/" and does not end with it. Write an expression between two slashes.`;
  if (compile(item) !== undefined) return undefined;
  return `The expression "${item.slice(0, SHOWN)}" cannot be read. Write it without lookaheads, lookbehinds and references to groups.`;
}

function compile(item: string): RE2JS | undefined {
  try {
    return RE2JS.compile(RE2JS.translateRegExp(item.slice(1, -1)));
  } catch {
    return undefined;
  }
}

/**
 * The characters of an expression, each multiplied by its repetitions: the maximum cost of compiling and matching it. Counts in braces
 * multiply what precedes them, a group with all its content.
 */
function stepsOf(expression: string): number {
  const groups = [{ sum: 0, last: 0 }];
  const add = (steps: number) => {
    const group = groups.at(-1);
    if (group !== undefined) groups[groups.length - 1] = { sum: group.sum + group.last, last: steps };
  };
  for (const [token] of expression.matchAll(TOKENS)) {
    const [, count = '', most = ''] = /^\{(\d+)(?:,(\d*))?\}$/.exec(token) ?? [];
    if (token === '(') groups.push({ sum: 0, last: 0 });
    else if (token === ')' && groups.length > 1) {
      const { sum = 0, last = 0 } = groups.pop() ?? {};
      add(sum + last + 2);
    } else if (count !== '') {
      const group = groups.at(-1);
      if (group !== undefined) groups[groups.length - 1] = { sum: group.sum, last: group.last * Math.max(1, Number(count), Number(most)) };
    } else add(token.length);
  }
  return groups.reduce((sum, group) => sum + group.sum + group.last, 0);
}

/**
 * An escaped character, a class, a count, or one character. An unterminated class takes the rest: otherwise each "[" would search for its
 * end.
 */
const TOKENS = /\\.|\[\^?\]?(?:\\.|[^\]\\])*(?:\]|\\?$)|\{\d+(?:,\d*)?\}|[^]/gs;
const SHOWN = 100;
const TOO_LONG = `The expressions of "${ALLOWED_ORIGIN}" have more than ${LIMITS.originExpressions} characters in all, each counted as often as it is repeated. Shorten them.`;
