import { join } from 'node:path';
import { readText } from '../read-text.ts';

export interface Repository {
  readonly owner: string;
  readonly repo: string;
  /** `https://<code host>/<owner>/<repo>`; with `http` where the remote has it. */
  readonly url: string;
}

const REMOTE = /\[remote "origin"\][^[]*?\n\s*url\s*=\s*(\S+)/;
const HTTP = /^(https?):\/\/(?:[^@/]+@)?([^/]+)\/([^/]+)\/([^/]+?)(?:\.git)?\/?$/;
const SSH = /^()(?:ssh:\/\/)?git@([^:/]+)[:/]([^/]+)\/([^/]+?)(?:\.git)?$/;

/**
 * The repository of a folder, from the address of its remote `origin`; credentials in it are left out. `unread`: there is such an address, and it
 * is not one of an owner's repository.
 */
export async function readRepository(folder: string): Promise<Repository | 'unread' | undefined> {
  const address = REMOTE.exec((await readText(join(folder, '.git', 'config'))) ?? '')?.[1];
  if (address === undefined) return undefined;
  const [, scheme = '', host, owner, repo] = HTTP.exec(address) ?? SSH.exec(address) ?? [];
  if (host === undefined || owner === undefined || repo === undefined) return 'unread';
  return { owner, repo, url: `${scheme || 'https'}://${host}/${owner}/${repo}` };
}
