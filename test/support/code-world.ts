import type { CodeSource } from '@repoless/contract/code-source.ts';
import { type JobDetails, JobStatus } from '@repoless/contract/job.ts';
import { startCodeHost } from './git-hosts.ts';
import type { FaultMode } from '@repoless/sandbox/faults.ts';
import type { Running } from '@repoless/sandbox/web.ts';
import { originOf } from '@repoless/service/code/rules/code-origin.ts';
import type { Store } from '@repoless/service/domain/ports.ts';
import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { TestAnswer } from './ask.ts';
import { OPERATOR, siteBody, startTestBackend, type TestBackend, type TestBackendOptions } from './backend.ts';
import type { CodeOrigin } from '@repoless/service/code/rules/ports.ts';

/** A code host with real repositories, a clone to push from, and a backend next to it. */
export interface CodeWorld extends CodeCalls {
  readonly codeHost: Running;
  /** Where the code host keeps its repositories. */
  readonly codeHostDir: string;
  readonly backend: TestBackend;
  readonly clone: CodeClone;
  /** Sets how the code host fails; `none` ends it. */
  fault(mode: FaultMode, more?: Readonly<Record<string, unknown>>): Promise<void>;
  stop(): Promise<void>;
}

export async function startCodeWorld(options: TestBackendOptions = {}): Promise<CodeWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'repoless-code-'));
  const codeHost = await startCodeHost({ port: 0, dataDir: join(folder, 'code-host') });
  const backend = await startTestBackend({
    ...options,
    settings: { CODE_HOST: codeHost.address, CODE_HOST_RAW: `${codeHost.address}/raw`, CODE_RETRY_DELAY: '5', ...options.settings },
  });
  const clone = await cloneOf(codeHost.address, 'wknd/wknd', join(folder, 'clone'));

  return {
    ...codeCalls(backend),
    codeHost,
    codeHostDir: join(folder, 'code-host'),
    backend,
    clone,
    async fault(mode, more = {}) {
      await fetch(`${codeHost.address}/sandbox/faults`, { method: 'POST', body: JSON.stringify({ mode, ...more }) });
    },
    async stop() {
      await backend.stop();
      await codeHost.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Calls about the code of sites, as `OPERATOR`. A site is `<org>/<site>`, or the name of one of `wknd`. */
interface CodeCalls {
  /** Registers a site, by default on the repository `wknd/wknd`; `unchecked`: whatever the code host answers. */
  register(site: string, more?: Readonly<Record<string, unknown>>, unchecked?: 'unchecked'): Promise<void>;
  /** Registers a site on an external repository, and stores its secret. */
  registerExternal(site: string, code: Readonly<Record<string, unknown>>, secret?: string): Promise<void>;
  /** Starts a sync, and returns the answer. */
  start(site: string, ref?: string): Promise<TestAnswer>;
  /** Starts a sync and waits for its end. */
  sync(site: string, ref?: string): Promise<JobStatus>;
  status(site: string, ref?: string): Promise<JobStatus>;
  /** Waits until the latest job of a branch has stopped. */
  ended(site: string, ref?: string): Promise<JobStatus>;
}

export function codeCalls(backend: TestBackend): CodeCalls {
  const ownerKey = (site: string) => (site.includes('/') ? site : `wknd/${site}`);
  const calls: CodeCalls = {
    async register(site, more = {}, unchecked) {
      const [org = '', name = ''] = ownerKey(site).split('/');
      const body = siteBody(org, name, { code: { owner: 'wknd', repo: 'wknd' }, ...more });
      const query = unchecked === undefined ? '' : '?unchecked=true';
      const { status, text } = await backend.call('PUT', `/config/${org}/sites/${name}.json${query}`, { as: OPERATOR, body });
      if (status !== 201) throw new Error(`${site} was not registered: ${status} ${text}`);
    },
    async registerExternal(site, code, secret = 'the-secret') {
      await calls.register(site, { code }, 'unchecked');
      const path = `/config/${ownerKey(site).replace('/', '/sites/')}/secrets/cm-byog.json`;
      const { status, text } = await backend.call('POST', path, { as: OPERATOR, body: { value: secret } });
      if (status !== 200) throw new Error(`The secret of ${site} was not stored: ${status} ${text}`);
    },
    start: (site, ref = 'main') => backend.call('POST', `/code/${ownerKey(site)}/${ref}/*`, { as: OPERATOR }),
    async sync(site, ref) {
      const { status, text } = await calls.start(site, ref);
      if (status !== 202) throw new Error(`The sync of ${site} did not start: ${status} ${text}`);
      return await calls.ended(site, ref);
    },
    status: async (site, ref = 'main') =>
      JobStatus.parse((await backend.call('GET', `/job/${ownerKey(site)}/${ref}/code`, { as: OPERATOR })).json()),
    ended: async (site, ref = 'main') =>
      await untilStopped(backend.address, `/job/${ownerKey(site)}/${ref}/code`, { 'x-auth-token': await backend.token(OPERATOR) }),
  };
  return calls;
}

/** An external repository as the code source of the site that holds its secret. */
export function externalCode(
  address: string,
  { owner = '1', repo = '2', ...more }: Readonly<Record<string, string>> = { secretId: 'cm-byog' },
) {
  return { owner, repo, source: { type: 'byogit', url: `${address}/api`, raw_url: `${address}/raw`, ...more } };
}

/** Reports a push to a repository, by default `wknd/wknd`, as the code host does. Two events of the same bytes are one. */
export function reportPush(
  backend: Pick<TestBackend, 'call'>,
  secret: string,
  push: Readonly<Record<string, unknown>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<TestAnswer> {
  const body = JSON.stringify({ repository: { name: 'wknd', owner: { login: 'wknd' } }, ...push });
  const event = { 'content-type': 'application/json', 'x-github-event': 'push', 'x-hub-signature-256': githubSignature(body, secret) };
  return backend.call('POST', '/webhook/github', { body, headers: { ...event, ...headers } });
}

export function githubSignature(body: string, secret: string): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}

/** A clone of a repository of the sandbox's code host, to push from. */
export interface CodeClone {
  readonly folder: string;
  git(...command: readonly string[]): Promise<string>;
  /** Changes files (undefined removes one), commits, and pushes. */
  push(files: Readonly<Record<string, string | Uint8Array | undefined>>, branch?: string): Promise<void>;
}

export async function cloneOf(codeHost: string, repository: string, folder: string): Promise<CodeClone> {
  const git = (...command: readonly string[]) => runGit(folder, command);
  const remote = new URL(`${codeHost}/${repository}`);
  remote.username = encodeURIComponent('ada.admin@example.com');
  remote.password = 'sandbox';
  await mkdir(folder);
  await git('clone', '--quiet', remote.href, '.');
  return {
    folder,
    git,
    async push(files, branch = 'main') {
      for (const [path, content] of Object.entries(files)) {
        const file = join(folder, path);
        if (content === undefined) await rm(file, { recursive: true, force: true });
        else {
          await mkdir(dirname(file), { recursive: true });
          await writeFile(file, content);
        }
      }
      await git('add', '--all', '--force');
      await git('commit', '--quiet', '--allow-empty', '--message', 'Change');
      await git('push', '--quiet', '--force', 'origin', `HEAD:refs/heads/${branch}`);
    },
  };
}

async function runGit(folder: string, command: readonly string[]): Promise<string> {
  const person = ['AUTHOR', 'COMMITTER'].flatMap((who) => [
    [`GIT_${who}_NAME`, 'Ada Admin'],
    [`GIT_${who}_EMAIL`, 'ada.admin@example.com'],
  ]);
  const env = { PATH: process.env['PATH'] ?? '', GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', ...Object.fromEntries(person) };
  return (await promisify(execFile)('git', [...command], { cwd: folder, env })).stdout;
}

/** Polls the jobs of a branch as the side panel does, until the latest one has stopped. */
export function untilStopped(address: string, path: string, headers: Readonly<Record<string, string>>): Promise<JobStatus> {
  const { port, host } = new URL(address);
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { hostname: '127.0.0.1', port, path, agent: false, headers: { host, accept: 'text/event-stream', ...headers } },
      (incoming) => {
        let text = '';
        incoming.setEncoding('utf8');
        incoming.on('data', (piece: string) => {
          text += piece;
          const events = text.split('\n\n');
          text = events.pop() ?? '';
          for (const event of events) {
            const [, data] = /^event: job\ndata: (.*)$/.exec(event) ?? [];
            const status = data === undefined ? undefined : JobStatus.parse(JSON.parse(data));
            if (status?.state !== 'stopped') continue;
            resolve(status);
            outgoing.destroy();
          }
        });
        incoming.on('end', () => reject(new Error(`The stream ended (${incoming.statusCode}): ${text}`)));
        incoming.on('error', reject);
      },
    );
    outgoing.on('error', reject);
    outgoing.end();
  });
}

let jobs = 0;

/** Starts a job of a branch and waits for its end. */
export async function endJob(
  store: Store,
  origin: CodeOrigin,
  how: { readonly error?: string; readonly cancelled?: true },
  time = new Date(),
  ref = 'main',
): Promise<void> {
  jobs += 1;
  const name = `job-2026-03-01-10-00-00-${jobs.toString(16).padStart(8, '0')}`;
  const { owner, repo } = origin;
  const record: JobDetails = {
    topic: 'code',
    name,
    state: 'created',
    createTime: time.toISOString(),
    progress: { total: 0, processed: 0, failed: 0, ignored: 0 },
    data: { phase: 'collect', owner, repo, ref, branch: ref, changes: [], resources: [] },
  };
  const added = await store.code.addJob({ name, key: origin.key, ref, origin, record, attempts: 0, rerun: false });
  const lease = { owner: 'me', until: new Date(time.getTime() + 60_000), now: time };
  const claimed = await store.code.claimJob(name, lease);
  const finished = await store.code.finishJob({ ...record, state: 'stopped', stopTime: time.toISOString(), ...how }, 'me');
  if (!added || claimed === undefined || !finished) throw new Error(`The job ${name} did not end.`);
}

export function githubOrigin(owner: string, repo: string): CodeOrigin {
  return required('acme', { owner, repo, source: { type: 'github' } });
}

export function externalOrigin(org: string): CodeOrigin {
  const source = { type: 'byogit', url: 'https://git.example.com/api', raw_url: 'https://git.example.com/raw' } as const;
  return required(org, { owner: '100', repo: '200', source });
}

function required(org: string, source: CodeSource): CodeOrigin {
  const origin = originOf(org, source);
  if (origin === undefined) throw new Error('This is not a code source.');
  return origin;
}
