import { execFile } from 'node:child_process';
import { cp, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startCodeHost } from '../support/git-hosts.ts';
import { cloneOf, type CodeClone } from '../support/code-world.ts';

/** The sandbox's code host with its repositories, and `wknd/summit`, a copy of `wknd/wknd`. */
export async function startRepositories() {
  const folder = await mkdtemp(join(tmpdir(), 'repoless-repositories-'));
  const running = await startCodeHost({ port: 0, dataDir: folder });
  const at = (name: string) => join(folder, 'repositories', 'wknd', `${name}.git`);
  const git = async (name: string, ...command: readonly string[]) =>
    (await promisify(execFile)('git', ['--git-dir', at(name), ...command])).stdout.trim();
  let clones = 0;
  const copy = async (name: string, from = 'wknd'): Promise<void> => {
    await cp(at(from), at(name), { recursive: true });
  };
  await copy('summit');
  return {
    address: running.address,
    /** Copies a repository of `wknd`. */
    copy,
    remove: (name: string) => rm(at(name), { recursive: true, force: true }),
    rename: (from: string, to: string) => rename(at(from), at(to)),
    renameBranch: (name: string, from: string, to: string) => git(name, 'branch', '--move', from, to),
    clone: (name: string): Promise<CodeClone> => cloneOf(running.address, `wknd/${name}`, join(folder, `clone-${++clones}`)),
    fault: async (fault: Readonly<Record<string, unknown>>): Promise<void> => {
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(`${running.address}/sandbox/faults`, { method: 'POST', headers, body: JSON.stringify(fault) });
      if (!answer.ok) throw new Error(await answer.text());
    },
    stop: async (): Promise<void> => {
      await running.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
