import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { askGit, GitFailure } from './run-git.ts';

/**
 * Makes a bare repository where it is missing, whole or not at all; else clears what a program left that was killed. Out:
 * whether it is new.
 */
export async function prepareRepository(folder: string, signal: AbortSignal): Promise<boolean> {
  if ((await stat(join(folder, 'HEAD')).catch(() => undefined)) !== undefined) {
    await clearLeftOver(folder);
    return false;
  }
  const draft = `${folder}.unfinished`;
  await rm(draft, { recursive: true, force: true });
  await rm(folder, { recursive: true, force: true });
  await mkdir(draft, { recursive: true, mode: 0o700 });
  await askGit({ repository: draft, command: ['init', '--quiet', '--bare', '--initial-branch=main', draft], signal });
  await rename(draft, folder);
  return true;
}

/** Each transfer leaves a pack; many of them make git slow, and old commits are not needed. */
export async function tidyRepository(folder: string, signal: AbortSignal): Promise<void> {
  const packs = (await readdir(join(folder, 'objects', 'pack')).catch(() => [])).filter((name) => name.endsWith('.pack'));
  if (packs.length > MANY_PACKS) await askGit({ repository: folder, command: ['gc', '--quiet', '--prune=now'], signal });
}

async function clearLeftOver(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const isLeftOver = entry.name.endsWith('.lock') || entry.name.startsWith('tmp_');
    if (entry.isFile() && isLeftOver) await rm(join(entry.parentPath, entry.name), { force: true });
  }
}

const MANY_PACKS = 40;

/** `unknown`: it could not be looked at to the end; what is not known is not removed. */
type MirrorState = 'sound' | 'damaged' | 'missing' | 'unknown';

/**
 * The state of a mirror, determined by inspecting it: git's output while it talks to a remote doesn't show it. Flaws in committed objects are not
 * our damage.
 */
export async function mirrorState(repository: string, signal: AbortSignal): Promise<MirrorState> {
  if ((await stat(repository).catch(() => undefined)) === undefined) return 'missing';
  try {
    await askGit({ repository, signal, command: ['fsck', '--no-dangling', '--no-progress'] });
    return 'sound';
  } catch (error) {
    if (signal.aborted) return 'unknown';
    if (!(error instanceof GitFailure)) throw error;
    return error.status === FLAWED_OBJECTS ? 'sound' : 'damaged';
  }
}

/** The exit status where objects are there in full, but not as git would write them today. */
const FLAWED_OBJECTS = 1;

/**
 * Settings by which git connects to these addresses, whatever a resolver says by then: the address that was checked is the one
 * that is connected to. In: where git is sent, and what its host was resolved to, at least one address.
 */
export function pinnedTo(url: string, addresses: readonly string[]): string[] {
  const { hostname, port, protocol } = new URL(url);
  if (addresses.length === 0) throw new Error(`${hostname} has no address.`);
  // An address by itself is connected to without a look-up.
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return [];
  const at = port === '' ? (protocol === 'https:' ? '443' : '80') : port;
  // A final dot means the same host, and is another name for the one who connects.
  const name = hostname.replace(/\.$/, '');
  return [name, `${name}.`].map((one) => `http.curloptResolve=${one}:${at}:${addresses.join(',')}`);
}
