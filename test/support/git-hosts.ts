import { startCodeHost as startEmptyCodeHost } from '@repoless/sandbox/code-host/start-code-host.ts';
import { makeRepositories } from '@repoless/sandbox/git-server/repositories.ts';
import type { GitHostOptions } from '@repoless/sandbox/git-server/start-git-host.ts';
import { startVendorHost as startEmptyVendorHost } from '@repoless/sandbox/vendor-host/start-vendor-host.ts';
import type { Running } from '@repoless/sandbox/web.ts';
import { existsSync } from 'node:fs';
import { cp, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The sandbox's code host with copies of its repositories: making them starts git forty times, which takes seconds from a large process. */
export async function startCodeHost(options: GitHostOptions): Promise<Running> {
  await copyRepositories('code-host', options.dataDir);
  return await startEmptyCodeHost(options);
}

/** The sandbox's git vendor, likewise. */
export async function startVendorHost(options: GitHostOptions): Promise<Running> {
  await copyRepositories('vendor-host', options.dataDir);
  return await startEmptyVendorHost(options);
}

type Host = Parameters<typeof makeRepositories>[0];

const copies = new Map<Host, Promise<string>>();

/** A host that is started again keeps its repositories. */
async function copyRepositories(host: Host, dataDir: string): Promise<void> {
  const folder = join(dataDir, 'repositories');
  if (existsSync(folder)) return;
  const once = copies.get(host) ?? make(host);
  copies.set(host, once);
  await cp(await once, folder, { recursive: true });
}

async function make(host: Host): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `repoless-${host}-`));
  await makeRepositories(host, folder);
  return folder;
}
