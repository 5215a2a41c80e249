import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DeviceAuthorization } from '@repoless/contract/session.ts';
import { addressesOf, DEFAULT_PORTS } from '@repoless/sandbox/addresses.ts';
import { PASSWORD } from '@repoless/sandbox/identity-provider/accounts.ts';
import { authoringTokenOf } from '@repoless/sandbox/sign-in-as.ts';
import { startSandbox, type Sandbox } from '@repoless/sandbox/start.ts';
import { differences, readAnswer, readExamples, type Documented } from '../support/documented-calls.ts';
import { createVisitor, type Visitor } from '../support/visitor.ts';

const ROOT = new URL('../..', import.meta.url);
const ADA = 'ada.admin@example.com';
const tutorial = await readFile(new URL('docs/tutorial.md', ROOT), 'utf8');
const examples = readExamples(tutorial);

let sandbox: Sandbox;
let dataDir: string;
let visitor: Visitor;
const variables: Record<string, string> = {};
let last: Documented | undefined;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'repoless-tutorial-'));
  sandbox = await startSandbox({ dataDir, ports: 'free' });
  visitor = createVisitor();
});
afterAll(async () => {
  await sandbox.stop();
  await rm(dataDir, { recursive: true, force: true });
});

it('shows a call for each part of the service that a script needs', () => {
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
    it(`tells where ${names} comes from`, async () => {
      for (const [name, value] of example.assignments) variables[name] = value === '…' ? await fill(name) : here(value);
    });
  } else {
    it(`answers as the tutorial says: ${example.title}`, async () => {
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

async function allowDevice(begun: DeviceAuthorization): Promise<string> {
  const page = await visitor.open(begun.verification_uri_complete);
  expect((await visitor.submit(page, { decision: 'allow' })).text).toContain('Allowed');
  return begun.device_code;
}
