import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { JobStatus } from '#contract/job.ts';
import type { Running } from '#sandbox/running.ts';
import { startCodeHost } from '#sandbox/code-host/start-code-host.ts';
import { OPERATOR, siteBody, startTestBackend } from './backend.ts';
import type { TestBackend, TestBackendOptions } from './backend.ts';

/** A code host with real repositories, a clone to push from, and a backend beside it. */
export interface CodeWorld {
  readonly codeHost: Running;
  readonly backend: TestBackend;
  /** Changes files of the clone (undefined removes one), commits, and pushes. */
  push(files: Readonly<Record<string, string | Uint8Array | undefined>>, branch?: string): Promise<void>;
  git(...command: readonly string[]): Promise<string>;
  readonly clone: string;
  /** Registers a site on the repository. */
  register(site: string, more?: Readonly<Record<string, unknown>>): Promise<void>;
  /** Begins a sync and waits for its end. */
  sync(site: string, ref?: string): Promise<JobStatus>;
  status(site: string, ref?: string): Promise<JobStatus>;
  /** Waits until the latest job of a branch is stopped. */
  ended(site: string, ref?: string): Promise<JobStatus>;
  stop(): Promise<void>;
}

export async function startCodeWorld(options: TestBackendOptions = {}): Promise<CodeWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'repoless-code-'));
  const codeHost = await startCodeHost({ port: 0, dataDir: join(folder, 'code-host') });
  const backend = await startTestBackend({
    ...options,
    settings: { CODE_HOST: codeHost.address, CODE_RETRY_DELAY: '5', ...options.settings },
  });
  const clone = join(folder, 'clone');
  const git = (...command: readonly string[]) => runGit(clone, command);
  const remote = new URL(`${codeHost.address}/wknd/wknd`);
  remote.username = encodeURIComponent('ada.admin@example.com');
  remote.password = 'sandbox';
  await mkdir(clone);
  await git('clone', '--quiet', remote.href, '.');

  const world: CodeWorld = {
    codeHost,
    backend,
    clone,
    git,
    async push(files, branch = 'main') {
      for (const [path, content] of Object.entries(files)) {
        const file = join(clone, path);
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
    async register(site, more = {}) {
      const body = siteBody('wknd', site, { code: { owner: 'wknd', repo: 'wknd' }, ...more });
      const { status, text } = await backend.call('PUT', `/config/wknd/sites/${site}.json`, { as: OPERATOR, body });
      if (status !== 201) throw new Error(`${site} was not registered: ${status} ${text}`);
    },
    async sync(site, ref = 'main') {
      const { status, text } = await backend.call('POST', `/code/wknd/${site}/${ref}/*`, { as: OPERATOR });
      if (status !== 202) throw new Error(`The sync of ${site} did not begin: ${status} ${text}`);
      return await world.ended(site, ref);
    },
    async status(site, ref = 'main') {
      return JobStatus.parse((await backend.call('GET', `/job/wknd/${site}/${ref}/code`, { as: OPERATOR })).json());
    },
    async ended(site, ref = 'main') {
      for (;;) {
        const status = await world.status(site, ref);
        if (status.state === 'stopped') return status;
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
    async stop() {
      await backend.stop();
      await codeHost.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
  return world;
}

async function runGit(folder: string, command: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('git', [...command], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'] ?? '',
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_NOSYSTEM: '1',
      ...Object.fromEntries(
        ['AUTHOR', 'COMMITTER'].flatMap((who) => [
          [`GIT_${who}_NAME`, 'Ada Admin'],
          [`GIT_${who}_EMAIL`, 'ada.admin@example.com'],
        ]),
      ),
    },
  });
  return stdout;
}
