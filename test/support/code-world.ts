import { JobStatus } from '@repoless/contract/job.ts';
import { startCodeHost } from '@repoless/sandbox/code-host/start-code-host.ts';
import type { Running } from '@repoless/sandbox/web.ts';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OPERATOR, siteBody, startTestBackend, type TestBackend, type TestBackendOptions } from './backend.ts';
import { cloneOf, type CodeClone } from './code-clone.ts';
import { untilStopped } from './job-stream.ts';

/** A code host with real repositories, a clone to push from, and a backend beside it. */
export interface CodeWorld {
  readonly codeHost: Running;
  /** Where the code host keeps its repositories. */
  readonly codeHostDir: string;
  readonly backend: TestBackend;
  readonly clone: CodeClone;
  /** Registers a site on the repository; `unchecked`: whatever the code host says of it. */
  register(site: string, more?: Readonly<Record<string, unknown>>, unchecked?: 'unchecked'): Promise<void>;
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
    settings: { CODE_HOST: codeHost.address, CODE_HOST_RAW: `${codeHost.address}/raw`, CODE_RETRY_DELAY: '5', ...options.settings },
  });
  const clone = await cloneOf(codeHost.address, 'wknd/wknd', join(folder, 'clone'));

  const world: CodeWorld = {
    codeHost,
    codeHostDir: join(folder, 'code-host'),
    backend,
    clone,
    async register(site, more = {}, unchecked) {
      const body = siteBody('wknd', site, { code: { owner: 'wknd', repo: 'wknd' }, ...more });
      const { status, text } = await backend.call(
        'PUT',
        `/config/wknd/sites/${site}.json${unchecked === undefined ? '' : '?unchecked=true'}`,
        { as: OPERATOR, body },
      );
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
      return await untilStopped(backend.address, `/job/wknd/${site}/${ref}/code`, { 'x-auth-token': await backend.token(OPERATOR) });
    },
    async stop() {
      await backend.stop();
      await codeHost.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
  return world;
}
