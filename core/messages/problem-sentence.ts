import { ERROR_DATA } from '@repoless/contract/error-data.ts';
import type { ErrorCode, FieldError } from '@repoless/contract/errors.ts';
import { codeSentenceOf } from '@repoless/contract/code-sentences.ts';
import { type BrokenRule, ruleOf } from '@repoless/contract/value-rules.ts';
import { fillFrom } from './format-message.ts';
import type { Message } from './format-message.ts';
import type { MessagesOf, ServiceProblem, ServiceSentences } from './language.ts';

type Service = Pick<MessagesOf<'service'>, 'problems' | 'rules' | 'code' | 'unknown' | 'says' | 'at' | 'partly'>;

/** The service's sentences in the language of the messages. */
export function serviceSentences(service: MessagesOf<'service'>): ServiceSentences {
  return {
    next: service.next,
    problem: (problem) => problemSentence(service, problem),
    field: (error) => fieldSentence(service, error),
    value: (error) => ruleSentence(service, error),
    code: (sentence) => codeSentenceIn(service, sentence),
  };
}

/**
 * The service's sentence in the reader's language, by code and data. A newer code, or one without its data, gets a general sentence with
 * the service's own as a quotation, and so does a sentence of another system.
 */
export function problemSentence(service: Service, { code, detail, data = {}, errors = [] }: ServiceProblem): string {
  if (!isKnown(service, code) || lacksData(code, data)) return `${service.unknown} ${service.says({ system: 'service', text: detail })}`;
  const { code: inner, says } = data;
  const [first] = errors;
  const found = first ?? fieldOf(detail, data);
  const problem =
    code === 'VERSION_REFUSED'
      ? problemSentence(service, { code: inner ?? '', detail, data, errors })
      : found === undefined
        ? ''
        : fieldSentence(service, found);
  return [
    ...(data.stored === undefined ? [] : [fillFrom(service.partly, data)]),
    fillFrom(service.problems[code], { ...data, problem }),
    ...(says === undefined ? [] : [codeSentenceIn(service, says, SYSTEMS[code])]),
  ].join(' ');
}

/** One invalid field: its location and its error. */
function fieldSentence(service: Pick<Service, 'at' | 'rules'>, error: FieldError): string {
  const { pointer } = error;
  const text = ruleSentence(service, error);
  return pointer === '' ? text : service.at({ pointer, text });
}

/** The error of a value: by the broken rule, which the service names, or which follows from the contract's sentence. */
export function ruleSentence({ rules }: Pick<Service, 'rules'>, { detail, rule, data }: Omit<FieldError, 'pointer'>): string {
  const broken = rule === undefined ? ruleOf(detail) : { rule, data: data ?? {} };
  const messages: Readonly<Partial<Record<string, Message>>> = rules;
  const message = broken === undefined ? undefined : messages[broken.rule];
  return message === undefined || broken === undefined ? rules.other({ text: detail }) : fillFrom(message, broken.data);
}

/** What the service says about code or about a connection. The words of another system are a quotation. */
export function codeSentenceIn(service: CodeMessages, text: string, system = 'service'): string {
  const sentences = sentencesOf(service, text);
  return sentences === undefined ? service.says({ system, text }) : sentences.join(' ');
}

type CodeMessages = Pick<Service, 'code' | 'rules' | 'says'>;

/** One sentence, or several in a row; undefined if one of them is another system's. */
function sentencesOf(service: CodeMessages, text: string): string[] | undefined {
  if (text.length > LONGEST) return undefined;
  const whole = codeSentenceOf(text) ?? ruleOf(text);
  const isOne = whole !== undefined && Object.entries(whole.data).every(([name, value]) => name === 'problem' || !value.includes('. '));
  return isOne ? sentenceOf(service, whole) : (severalOf(service, text) ?? (whole && sentenceOf(service, whole)));
}

function severalOf(service: CodeMessages, text: string): string[] | undefined {
  for (const { index } of text.matchAll(/(?<=\.) /g)) {
    const known = codeSentenceOf(text.slice(0, index)) ?? ruleOf(text.slice(0, index));
    if (known === undefined) continue;
    // No other start is tried, which limits the time.
    const [first, rest] = [sentenceOf(service, known), sentencesOf(service, text.slice(index + 1))];
    return first === undefined || rest === undefined ? undefined : [...first, ...rest];
  }
  return undefined;
}

/** Also of a value that breaks a rule. */
function sentenceOf(service: CodeMessages, { rule, data }: BrokenRule): string[] | undefined {
  const messages: Readonly<Partial<Record<string, Message>>> = { ...service.rules, ...service.code };
  const message = messages[rule];
  const { problem } = data;
  if (message === undefined) return undefined;
  return [fillFrom(message, problem === undefined ? data : { ...data, problem: codeSentenceIn(service, problem) })];
}

const LONGEST = 20_000;

/** The rule that a name breaks, which is not in a body. */
function fieldOf(detail: string, { rule, ...data }: Readonly<Record<string, string>>): FieldError | undefined {
  const broken = rule === undefined ? ruleOf(detail) : { rule, data };
  return broken === undefined ? undefined : { pointer: '', detail, ...broken };
}

function isKnown({ problems }: Service, code: string): code is ErrorCode {
  return Object.hasOwn(problems, code);
}

function lacksData(code: ErrorCode, data: Readonly<Record<string, string>>): boolean {
  const members: readonly string[] = code in ERROR_DATA ? ERROR_DATA[code as keyof typeof ERROR_DATA] : [];
  return members.some((name) => !name.endsWith('?') && data[name] === undefined);
}

/** The system that `says` in the data of a problem comes from. */
const SYSTEMS: Partial<Record<ErrorCode, string>> = {
  AUTHOR_UNREACHABLE: 'authoring',
  CODE_HOST_UNREACHABLE: 'codeHost',
  REPOSITORY_UNREACHABLE: 'vendor',
  CONTENT_UNREACHABLE: 'content',
};
