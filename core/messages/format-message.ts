import type { MessagesOf, Part } from './language.ts';

type Value = string | number | boolean | readonly string[] | undefined;
type Values = Readonly<Record<string, Value>>;

interface Argument {
  readonly name: string;
  readonly type: string | undefined;
  readonly options: Readonly<Record<string, readonly Piece[]>>;
}

/** `#`: the number that the enclosing plural depends on. */
const NUMBER = Symbol('#');
type Piece = string | Argument | typeof NUMBER;

/**
 * The messages of a part, from its JSON file: those with variables become functions. Of ICU MessageFormat this supports plural, select and
 * number; lists are written in the language's own way. The option `absent` of a select is for a value that is empty or not given.
 */
export function bindMessages<P extends Part>(messages: unknown, locale: string): MessagesOf<P> {
  return bind(messages, locale) as MessagesOf<P>;
}

/** Fills several messages with the same variables, such as a sentence and the next step. */
export function fill<T>(messages: T, values: ValuesOf<T>): Filled<T> {
  return fillFrom(messages, values as Values);
}

/** Fills messages with data of an answer or a check: a missing variable is empty. */
export function fillFrom<T>(messages: T, data: Values): Filled<T>;
export function fillFrom(messages: unknown, data: Values): unknown {
  if (typeof messages === 'function') return messages(data);
  if (typeof messages !== 'object' || messages === null) return messages;
  return Object.fromEntries(Object.entries(messages).map(([id, message]) => [id, fillFrom<unknown>(message, data)]));
}

/** A message: a string, or a function of its variables. */
export type Message = string | ((values: never) => string);

type Filled<T> = T extends Message ? string : { readonly [K in keyof T]: Filled<T[K]> };
type ValuesOf<T> = [Exclude<Messages<T>, string>] extends [(values: infer V) => string] ? V : never;
type Messages<T> = T extends Message ? T : Messages<T[keyof T]>;

export function formatList(names: Iterable<string>, locale: string): string {
  return new Intl.ListFormat(locale, { style: 'narrow' }).format(names);
}

function bind(messages: unknown, locale: string): unknown {
  if (Array.isArray(messages)) return messages.map((message) => bind(message, locale));
  if (typeof messages === 'object' && messages !== null)
    return Object.fromEntries(Object.entries(messages).map(([id, message]) => [id, bind(message, locale)]));
  if (typeof messages !== 'string' || !/[{']/.test(messages)) return messages;
  const pieces = parseMessage(messages);
  return pieces.every((piece) => typeof piece === 'string') ? pieces.join('') : (values: Values) => format(pieces, values, locale, 0);
}

function format(pieces: readonly Piece[], values: Values, locale: string, count: number): string {
  return pieces.reduce<string>((text, piece) => text + formatPiece(piece, values, locale, count, QUOTED.test(text)), '');
}

function formatPiece(piece: Piece, values: Values, locale: string, count: number, isQuoted: boolean): string {
  if (typeof piece === 'string') return piece;
  if (piece === NUMBER) return new Intl.NumberFormat(locale).format(count);
  const argument = values[piece.name] ?? '';
  const { options, type } = piece;
  if (typeof argument === 'object' && type === undefined)
    return formatList(
      argument.map((one) => isolated(one, locale)),
      locale,
    );
  const value = typeof argument === 'object' ? formatList(argument, locale) : argument;
  const other = options['other'] ?? [];
  switch (type) {
    case 'plural': {
      const count = Number(value);
      return format(options[`=${count}`] ?? options[new Intl.PluralRules(locale).select(count)] ?? other, values, locale, count);
    }
    case 'select': {
      // A value may equal the name of the option for empty values.
      const option = value === '' ? 'absent' : value === 'absent' ? 'other' : String(value);
      return format(options[option] ?? other, values, locale, count);
    }
    case 'number':
      return new Intl.NumberFormat(locale).format(Number(value));
    default:
      return isolated(isQuoted ? withinQuotes(String(value)) : String(value), locale);
  }
}

/** Ends with an opening quotation mark; French has a space after it. */
const QUOTED = /(?:["“„「『]|«\s?)$/;

/** A title or name between quotation marks has single ones inside: otherwise it would seem to end at its own. */
function withinQuotes(value: string): string {
  return value.replaceAll(/["“„«]([^"“”„«»]*)["“”»]/g, '‘$1’');
}

/** A path or name keeps its own direction in right-to-left text. */
function isolated(value: string, locale: string): string {
  return value !== '' && FROM_THE_RIGHT.test(locale) ? `\u2068${value}\u2069` : value;
}

const FROM_THE_RIGHT = /^ar\b/;

/** Takes a valid message: a test checks every message with the parser of a library. */
function parseMessage(message: string): readonly Piece[] {
  const tokens = message.match(/'[{}](?:[^']|'')*'|''|[{}#]|[^{}#']+|'/g) ?? [];
  let at = 0;
  return pieces(false);

  function pieces(inPlural: boolean): readonly Piece[] {
    const found: Piece[] = [];
    for (; at < tokens.length && tokens[at] !== '}'; at += 1) {
      const token = tokens[at] ?? '';
      if (token === '{') found.push(argument());
      else if (token === '#' && inPlural) found.push(NUMBER);
      else found.push(token.replace(/^'([{}].*)'$/s, '$1').replaceAll("''", "'"));
    }
    return found;
  }

  /** From an opening brace to its closing one. */
  function argument(): Argument {
    const [name = '', type, first = ''] = (tokens[++at] ?? '').split(',').map((word) => word.trim());
    const options: Record<string, readonly Piece[]> = {};
    for (let key = first; key !== ''; key = tokens[++at]?.trim().replace('}', '') ?? '') {
      at += 2;
      options[key] = pieces(type === 'plural');
    }
    if (tokens[at] !== '}') at += 1;
    return { name, type, options };
  }
}
