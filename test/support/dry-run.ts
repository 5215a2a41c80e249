import { aliasesOf } from '@repoless/contract/public-api.ts';
import { isWrite, type Endpoint } from '@repoless/contract/endpoint.ts';
import { allEndpoints } from '@repoless/contract/endpoints.ts';
import { DryRun } from '@repoless/contract/endpoint-parts.ts';
import type { TestAnswer } from './ask.ts';

/** Properties that are generated on each call, or are its time, and so cannot be predicted. */
const GENERATED = new Set([
  'id',
  'value',
  'token',
  'created',
  'lastModified',
  'expires',
  'expiration',
  'createTime',
  'messageId',
  'started',
  // A rollout answers this only in a dry run.
  'preview',
  'secret',
]);
/** A job continues between the two calls, so only the status can be compared. */
const MOVING = /^\/(?:code|job)\/|\/(?:code|jobs)\/main/;

/** Whether a call can be preceded by a dry run: a write of the service that is not one itself. */
export function canBeTried(method: string, path: string, headers: Readonly<Record<string, string>> = {}): boolean {
  const [address = '', query = ''] = path.split('?');
  if (new URLSearchParams(query).has('dryRun') || 'x-dry-run' in headers) return false;
  return WRITES.some(([of, pattern]) => of === method && pattern.test(address));
}

/** Sends a write, preceded by its dry run; throws if that predicted another status or result. */
export async function withDryRun(path: string, send: (path: string) => Promise<TestAnswer>): Promise<TestAnswer> {
  const predicted = await send(`${path}${path.includes('?') ? '&' : '?'}dryRun=true`);
  const answer = await send(path);
  const wrong = deviation(predicted, answer, !MOVING.test(path));
  if (wrong === undefined) return answer;
  throw new Error(`The dry run of ${path} did not predict the write: ${wrong}`);
}

function deviation(predicted: TestAnswer, answer: TestAnswer, compares: boolean): string | undefined {
  if (predicted.status >= 400 || answer.status >= 400) {
    const [before, after] = [predicted, answer].map(({ status, headers }) => `${status} ${headers['x-error-code'] ?? ''}`);
    return before === after ? undefined : `${before} is not ${after} (${predicted.text} ${answer.text})`;
  }
  const { status, result, warnings = [] } = DryRun.parse(predicted.json());
  if (status !== answer.status) return `the status ${status} is not ${answer.status}`;
  if (warnings.join(' ') !== (answer.headers['x-warning'] ?? '')) return `the warning is not "${answer.headers['x-warning']}"`;
  return compares ? difference(result, bodyOf(answer), '') : undefined;
}

function bodyOf({ text, headers, json }: TestAnswer): unknown {
  if (text === '') return null;
  return headers['content-type']?.startsWith('application/json') === true ? json() : text;
}

function difference(predicted: unknown, stored: unknown, at: string): string | undefined {
  if (!isObject(predicted) || !isObject(stored)) {
    return predicted === stored ? undefined : `${at}: ${JSON.stringify(predicted)} is not ${JSON.stringify(stored)}`;
  }
  for (const key of new Set([...Object.keys(predicted), ...Object.keys(stored)])) {
    if (GENERATED.has(key)) continue;
    const found = difference(predicted[key], stored[key], `${at}/${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function patternOf(path: string): RegExp {
  const parts = path
    .split(/(\{\w+\*?\})/)
    .map((part) => (part.startsWith('{') ? (part.endsWith('*}') ? '.+' : '[^/]+') : part.replaceAll('.', '\\.')));
  return new RegExp(`^${parts.join('')}$`);
}

const WRITES = allEndpoints().flatMap(([, row]: [string, Endpoint]): [string, RegExp][] =>
  isWrite(row) ? [row.path, ...aliasesOf(row.path).map(({ path }) => path)].map((path) => [row.method, patternOf(path)]) : [],
);
