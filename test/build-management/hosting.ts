import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { HostedAccess } from '#contract/build-management.ts';
import { git } from './world.ts';
import type { BuildWorld } from './world.ts';

export const HOSTED = '/organizations/wknd/hosted-repositories';

export interface Clone {
  readonly place: string;
  /** Changes files and commits them. */
  commit(changed: Readonly<Record<string, string | Buffer>>): Promise<void>;
  push(...more: string[]): Promise<string>;
}

/** Repositories that build management hosts, and clones of them below a folder of its own. */
export interface Hosting {
  host(name?: string): Promise<HostedAccess>;
  /** A clone of it with a commit on `main` that is not pushed yet. */
  cloned(access: HostedAccess, files?: Readonly<Record<string, string | Buffer>>): Promise<Clone>;
  /** A name that is free below the folder. */
  place(): string;
  stop(): Promise<void>;
}

/** The clone address as a person uses it. */
export function signedIn({ cloneUrl, username, accessToken }: HostedAccess): string {
  const address = new URL(cloneUrl);
  [address.username, address.password] = [username, accessToken];
  return address.href;
}

export async function startHosting(world: BuildWorld): Promise<Hosting> {
  const folder = await mkdtemp(join(tmpdir(), 'repoless-hosted-'));
  let count = 0;
  const place = () => join(folder, `clone-${++count}`);
  return {
    place,
    async host(name = `store-${++count}`) {
      const answer = await world.call('POST', HOSTED, { body: { programId: '100', name } });
      expect(answer.status, answer.text).toBe(201);
      return HostedAccess.parse(answer.json());
    },
    async cloned(access, files = { 'styles.css': 'body {}\n' }) {
      const own = place();
      await git('clone', '--quiet', signedIn(access), own);
      const commit = async (changed: Readonly<Record<string, string | Buffer>>) => {
        for (const [path, text] of Object.entries(changed)) await writeFile(join(own, path), text);
        await git('-C', own, 'add', '--all');
        await git('-C', own, 'commit', '--quiet', '--message', 'Change');
      };
      await git('-C', own, 'checkout', '--quiet', '-B', 'main');
      await commit(files);
      return {
        place: own,
        commit,
        push: (...more) => git('-C', own, 'push', '--quiet', 'origin', ...(more.length > 0 ? more : ['main'])),
      };
    },
    stop: () => rm(folder, { recursive: true, force: true }),
  };
}
