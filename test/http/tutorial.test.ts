import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { DeviceAuthorization } from '@repoless/contract/session.ts';
import { addressesOf, DEFAULT_PORTS } from '@repoless/sandbox/addresses.ts';
import { PASSWORD } from '@repoless/sandbox/identity-provider/accounts.ts';
import { authoringTokenOf } from '@repoless/sandbox/sign-in-as.ts';
import { startSandbox } from '@repoless/sandbox/start.ts';
import { createVisitor } from '../support/visitor.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { temporaryDirectory } from '../support/child-backend.ts';

const FENCED = /^```(\w+)\n([\s\S]*?)^```$/gm;
const ROOT = new URL('../..', import.meta.url);
const ADA = 'ada.admin@example.com';
const tutorial = await readFile(new URL('docs/tutorial.md', ROOT), 'utf8');
const examples = readExamples(tutorial);

const data = startBeforeAll(temporaryDirectory);
const sandbox = startBeforeAll(() => startSandbox({ dataDir: data.path, ports: 'free' }));
const visitor = createVisitor();
const variables: Record<string, string> = {};
let last: Documented | undefined;

it('the tutorial shows a call for each part of the service that a script needs', () => {
  const calls = examples.flatMap((example) => ('commands' in example ? [example.commands] : [])).join('\n');
  for (const part of ['-X PUT', '/public.json', '/access.json', '/login', '/profile', '/config.json', 'dryRun=true', 'if-match'])
    expect(calls).toContain(part);
  for (const part of [
    'restoreVersion=',
    'limit=',
    '/challenge.json',
    '/auth/device/token',
    '/auth/exchange',
    '-X DELETE',
    '/job/',
    '/code.json',
    '/secrets/',
  ])
    expect(calls).toContain(part);
});

// In order, as a reader runs them.
for (const example of examples) {
  if ('assignments' in example) {
    const names = example.assignments.map(([name]) => name).join(', ');
    it(`a reader can set ${names}`, async () => {
      for (const [name, value] of example.assignments) {
        variables[name] = value === '…' ? await fill(name) : here(value);
        if (value === '…') expect(variables[name], name).toMatch(COPIED[name] ?? /^$/);
        else expect(Object.values(sandbox.addresses), name).toContain(variables[name]);
      }
    });
  } else {
    it(`the service answers as documented: ${example.title}`, async () => {
      const documented = { ...example.answer, body: here(example.answer.body), headers: example.answer.headers.map(hereToo) };
      const answered = async () => {
        last = readAnswer(await shell(example.commands));
        return differences(documented, last);
      };
      // Only reads can be repeated: a code sync takes time.
      if (example.commands.includes(' -X ')) expect(await answered()).toEqual([]);
      else await expect.poll(answered, { timeout: 20_000 }).toEqual([]);
    });
  }
}

/** The tutorial's addresses, on the ports of this sandbox. */
function here(text: string): string {
  const written = addressesOf(DEFAULT_PORTS);
  const ports = (Object.keys(written) as (keyof typeof written)[]).map((name) => [port(written[name]), port(sandbox.addresses[name])]);
  return text.replaceAll(/(?<=localhost:)\d{4}\b/g, (found) => ports.find(([from]) => from === found)?.[1] ?? found);
}

function port(address: string): string {
  return address.slice(address.lastIndexOf(':') + 1);
}

function hereToo([name, value]: readonly [string, string]): readonly [string, string] {
  return [name, here(value)];
}

async function shell(commands: string): Promise<string> {
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', here(commands)], {
    env: { PATH: process.env['PATH'], ...variables },
  });
  return stdout;
}

const TOKEN = /^ey[\w-]+\.[\w-]+\.[\w-]+$/;
/** The forms of the values that a reader copies from an answer or a page. */
const COPIED: Readonly<Record<string, RegExp>> = {
  TOKEN,
  AUTHORING_TOKEN: TOKEN,
  ETAG: /^"[^"]+"$/,
  DEVICE_CODE: /^[\w-]{20,}$/,
};

/** A value that a reader copies from an answer or a page. */
async function fill(name: string): Promise<string> {
  switch (name) {
    case 'TOKEN':
      return await signIn();
    case 'ETAG':
      return last?.headers.find(([header]) => header === 'etag')?.[1] ?? '';
    case 'DEVICE_CODE':
      return await allowDevice(DeviceAuthorization.parse(JSON.parse(last?.body ?? '')));
    case 'AUTHORING_TOKEN':
      return await authoringTokenOf(ADA, sandbox.addresses);
    default:
      throw new Error(`The tutorial leaves ${name} open, and nothing here says what a reader would write.`);
  }
}

/** Signs in at /login as a person would. Returns the token in the cookie. */
async function signIn(): Promise<string> {
  const form = await visitor.open(`${sandbox.addresses.backend}/login`);
  await visitor.submit(form, { email: ADA, password: PASSWORD });
  return visitor.cookie('auth_token') ?? '';
}

async function allowDevice(started: DeviceAuthorization): Promise<string> {
  const page = await visitor.open(started.verification_uri_complete);
  expect((await visitor.submit(page, { decision: 'allow' })).text).toContain('Allowed');
  return started.device_code;
}
/** An example of the tutorial: shell commands and the expected answer, in which `…` stands for anything. */
interface Example {
  /** Its first line. */
  readonly title: string;
  readonly commands: string;
  readonly answer: Documented;
}

interface Documented {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

/** Variables that a block sets for the examples after it. */
interface Assignments {
  readonly assignments: readonly (readonly [name: string, value: string])[];
}

/** The calls of a text in order, with the variables set between them. Throws if a call has no answer. */
function readExamples(markdown: string): (Example | Assignments)[] {
  const blocks = [...markdown.matchAll(FENCED)].map(([, language = '', text = '']) => ({ language, text }));
  return blocks.flatMap(({ language, text }, index): (Example | Assignments)[] => {
    if (language !== 'sh') return [];
    if (!/\bcurl\b/.test(text)) return assignmentsOf(text);
    const next = blocks[index + 1];
    if (next?.language !== 'http') throw new Error(`This call of the tutorial has no answer after it:\n${text}`);
    return [{ title: text.split('\n', 1)[0] ?? '', commands: text, answer: readAnswer(next.text) }];
  });
}

/** Parses an answer in HTTP's notation: status line, headers, an empty line, the body. */
function readAnswer(text: string): Documented {
  const lines = text.split(/\r?\n/);
  const [, status = ''] = /^HTTP\/\S+ (\d{3})/.exec(lines[0] ?? '') ?? [];
  const end = lines.indexOf('');
  const headers = lines.slice(1, end < 0 ? undefined : end).map((line) => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
  });
  return {
    status: Number(status),
    headers,
    body:
      end < 0
        ? ''
        : lines
            .slice(end + 1)
            .join('\n')
            .trim(),
  };
}

/** Differences from the documented answer. Headers may be missing in the documentation, properties of a body may not. */
function differences(documented: Documented, answered: Documented): string[] {
  const headers = documented.headers.flatMap(([name, value]) => {
    const found = answered.headers.filter(([other]) => other === name).map(([, actual]) => actual);
    return found.some((actual) => fits(value, actual)) ? [] : [`header ${name}: ${found.join(', ') || 'none'} instead of ${value}`];
  });
  const status = documented.status === answered.status ? [] : [`status ${answered.status} instead of ${documented.status}`];
  return [...status, ...headers, ...bodyDifferences(documented.body, answered.body)];
}

function bodyDifferences(documented: string, answered: string): string[] {
  if (!/^[[{]/.test(documented)) return fits(documented, answered) ? [] : [`body ${answered} instead of ${documented}`];
  // The `…` of a property needs no quotation marks; it can also stand for a complete object or list.
  const closed = documented.replaceAll(/\{ … \}|\[ … \]|(?<=: )…/g, '"…"');
  return valueDifferences('', JSON.parse(closed), JSON.parse(answered === '' ? 'null' : answered));
}

function valueDifferences(at: string, documented: unknown, answered: unknown): string[] {
  if (documented === '…') return answered === undefined ? [`${at} is missing`] : [];
  if (isRecord(documented) && isRecord(answered) && Array.isArray(documented) === Array.isArray(answered)) {
    const names = new Set([...Object.keys(documented), ...Object.keys(answered)]);
    return [...names].flatMap((name) => valueDifferences(`${at}/${name}`, documented[name], answered[name]));
  }
  const same = typeof documented === 'string' && typeof answered === 'string' ? fits(documented, answered) : documented === answered;
  return same ? [] : [`${at === '' ? 'body' : at}: ${JSON.stringify(answered)} instead of ${JSON.stringify(documented)}`];
}

function fits(documented: string, answered: string): boolean {
  const pieces = documented.split('…').map((piece) => piece.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^${pieces.join('[^]*')}$`).test(answered);
}

function assignmentsOf(text: string): Assignments[] {
  const found = [...text.matchAll(/^([A-Z_]+)=(\S+)/gm)].map(([, name = '', value = '']) => [name, value] as const);
  return found.length === 0 ? [] : [{ assignments: found }];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
