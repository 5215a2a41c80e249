import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { ADA, startSetupWorld, type SetupWorld } from '../setup/setup-world.ts';
import { callsAs, OPERATOR, type TestBackend } from '../support/backend.ts';
import { standIn } from '../support/start-before-all.ts';
import { type Feature, UNSUPPORTED, offered } from '../support/on-both.ts';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dispatcherOf, fetchThrough } from '@repoless/command-line/network.ts';
import { run } from '@repoless/command-line/run.ts';

export interface CommandOutcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  json(): unknown;
}

export interface CommandOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Called instead of waiting between attempts; without it there is no wait. */
  wait?(milliseconds: number, signal: AbortSignal): Promise<void>;
  /** Called after each answered request, before the answer is passed on; if it throws, the answer is lost. */
  answered?(method: string, address: string): void | Promise<void>;
  /** Answers a request instead of the service; undefined passes it to the service. */
  instead?(method: string, address: string): Response | undefined;
  /** The text on standard input. */
  readonly input?: string;
  /** Called with each text on standard error. */
  onStderr?(text: string): void;
}

/** The variables with which every command of a file reaches its world's service. */
let known: Readonly<Record<string, string>> = {};

/** A proxy in front of the hosted service counts as one. */
function knownAt(service: string | undefined): Readonly<Record<string, string>> {
  return service === undefined || !('REPOLESS_HOSTED' in known) ? known : { ...known, REPOLESS_HOSTED: service };
}

/** Creates a folder in which to run the command line. */
export async function openFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'repoless-command-'));
  const configDirectory = join(folder, 'config');
  return {
    folder,
    configDirectory,
    write: (name: string, text: string) => writeFile(join(folder, name), text),
    read: (name: string) => readFile(join(folder, name), 'utf8'),
    remove: () => rm(folder, { recursive: true, force: true }),
    async repoless(argv: readonly string[], options: CommandOptions = {}): Promise<CommandOutcome> {
      let out = '';
      let err = '';
      const env = { ...knownAt(options.env?.['REPOLESS_SERVICE']), ...options.env };
      const fetching = fetchThrough(dispatcherOf(env));
      const code = await run(argv, {
        env,
        cwd: folder,
        configDirectory,
        fetch: async (input, init) => {
          const request = [init?.method ?? 'GET', input instanceof Request ? input.url : input.toString()] as const;
          const answer = options.instead?.(...request) ?? (await fetching(input, init));
          await options.answered?.(...request);
          return answer;
        },
        signal: options.signal ?? new AbortController().signal,
        out: (text) => void (out += text),
        err: (text) => {
          err += text;
          options.onStderr?.(text);
        },
        readIn: async () => options.input ?? '',
        wait: options.wait ?? (() => new Promise((resolve) => setImmediate(resolve))),
        now: () => new Date(),
      });
      return { code, out, err, json: (): unknown => JSON.parse(out) };
    },
  };
}

export type Folder = Awaited<ReturnType<typeof openFolder>>;

/** A sites file with this many locales of one site, on a service. */
export function localesFile(service: string, family: string, count: number, change: (index: number) => string = () => ''): string {
  const sites = Array.from({ length: count }, (_, index) => {
    const root = `/content/${family}/${country(index)}/${['de', 'en', 'fr', 'it'][index % 4]}`;
    return `  - name: ${family}-${country(index)}-${['de', 'en', 'fr', 'it'][index % 4]}\n    contentRoot: ${root}\n${change(index)}`;
  });
  return `version: 1
organization: wknd
service: ${service}
author: https://author-p100-e200.example.com
code:
  owner: wknd
  repo: wknd
access:
  role:
    admin: [operator@example.com]
technicalAccount: p100-e200@techacct.example.com
sites:
${sites.join('')}`;
}

/** A sites file of `wknd` with these lines below `sites:`. `head` changes or adds lines above; undefined leaves one out. */
export function sitesFile(author: string, sites: string, head: Readonly<Record<string, string | undefined>> = {}): string {
  const lines = {
    version: '1',
    organization: 'wknd',
    author,
    code: '{ owner: wknd, repo: wknd }',
    access: `{ role: { admin: [${ADA}] } }`,
    technicalAccount: 'p100-e200@techacct.example.com',
    ...head,
  };
  const above = Object.entries(lines).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}\n`]));
  return `${above.join('')}sites:\n${sites}`;
}

function country(index: number): string {
  const number = Math.floor(index / 4);
  return `${String.fromCharCode(97 + Math.floor(number / 26))}${String.fromCharCode(97 + (number % 26))}`;
}

let started: SetupWorld | undefined;
export const world: SetupWorld = standIn(() => started ?? expect.unreachable('The world starts before the tests.'));
export const asAda = callsAs(world, ADA);
export const asOperator = callsAs(world, OPERATOR);
/** The stored configuration of a site, without the time of its last change. */
export async function storedSite(site: string, service: Pick<TestBackend, 'call'> = world.backend): Promise<Record<string, unknown>> {
  const answer = await service.call('GET', `/config/wknd/sites/${site}.json`, { as: OPERATOR });
  const { lastModified: _time, ...config } = answer.json() as Record<string, unknown>;
  return config;
}

/** Confirms the code that the command line shows, as a person does in the browser. */
export async function allowCode(service: Pick<TestBackend, 'call' | 'token'>, who: string, output: string): Promise<void> {
  const userCode = /code ([A-Z-]+)/.exec(output)?.[1];
  if (userCode === undefined) return;
  const cookie = `auth_token=${await service.token(who)}`;
  const page = await service.call('GET', `/device?user_code=${userCode}`, { headers: { cookie, accept: 'text/html' } });
  const nonce = /name="nonce" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
  const body = new URLSearchParams({ user_code: userCode, decision: 'allow', nonce }).toString();
  await service.call('POST', '/device', { headers: { cookie, 'content-type': 'application/x-www-form-urlencoded' }, body });
}

/** A new folder for each test. */
export let folder: Folder;
/** The service's address and Ada's tokens. */
export let env: Readonly<Record<string, string>>;

/** Starts a world for the tests of a file; `authoring`: Ada also has a token of the authoring system. */
export function inCommandWorld({
  authoring = false,
  needs,
  ...options
}: { sites?: boolean; authoring?: boolean; needs?: Feature } = {}): void {
  if (needs !== undefined && !offered(needs)) beforeEach(({ skip }) => skip(UNSUPPORTED[needs]));
  beforeAll(async () => {
    started = await startSetupWorld(options);
    known = started.settings;
    const token = authoring ? { REPOLESS_AUTHORING_TOKEN: await world.author.issuer.token(ADA, { expires: '1h' }) } : {};
    env = { REPOLESS_TOKEN: await world.backend.token(ADA), REPOLESS_SERVICE: world.backend.address, ...token };
  });
  afterAll(() => world.stop());
  inOwnFolder();
}

/** Gives each test of a file its own folder. */
export function inOwnFolder(): void {
  beforeEach(async () => {
    folder = await openFolder();
  });
  afterEach(() => folder.remove());
}

/** Runs a command in the folder, with the variables. */
export function repoless(...argv: string[]): Promise<CommandOutcome> {
  return folder.repoless(argv, { env });
}
