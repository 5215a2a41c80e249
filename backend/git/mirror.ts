import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { gitOutput, GitFailure } from './run-git.ts';

/** Creates a bare repository completely or not at all, or removes what a killed program left. Returns whether it is new. */
export async function prepareRepository(folder: string, signal: AbortSignal): Promise<boolean> {
  if ((await stat(join(folder, 'HEAD')).catch(() => undefined)) !== undefined) {
    await clearLeftOver(folder);
    return false;
  }
  const draft = `${folder}.unfinished`;
  await rm(draft, { recursive: true, force: true });
  await rm(folder, { recursive: true, force: true });
  await mkdir(draft, { recursive: true, mode: 0o700 });
  await gitOutput({ repository: draft, command: ['init', '--quiet', '--bare', '--initial-branch=main', draft], signal });
  await rename(draft, folder);
  return true;
}

/** Each transfer leaves a pack; many of them make git slow, and old commits are not needed. */
export async function tidyRepository(folder: string, signal: AbortSignal): Promise<void> {
  const packs = (await readdir(join(folder, 'objects', 'pack')).catch(() => [])).filter((name) => name.endsWith('.pack'));
  if (packs.length > MANY_PACKS) await gitOutput({ repository: folder, command: ['gc', '--quiet', '--prune=now'], signal });
}

async function clearLeftOver(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const isLeftOver = entry.name.endsWith('.lock') || entry.name.startsWith('tmp_');
    if (entry.isFile() && isLeftOver) await rm(join(entry.parentPath, entry.name), { force: true });
  }
}

const MANY_PACKS = 40;

/**
 * The state of a mirror, determined by inspecting it: git's output while it talks to a remote doesn't show it. Flaws in committed objects are not
 * our damage. `unknown`: it could not be checked completely; it is not removed then.
 */
export async function mirrorState(repository: string, signal: AbortSignal): Promise<'sound' | 'damaged' | 'missing' | 'unknown'> {
  if ((await stat(repository).catch(() => undefined)) === undefined) return 'missing';
  try {
    await gitOutput({ repository, signal, command: ['fsck', '--no-dangling', '--no-progress'] });
    return 'sound';
  } catch (error) {
    if (signal.aborted) return 'unknown';
    if (!(error instanceof GitFailure)) throw error;
    return error.status === FLAWED_OBJECTS ? 'sound' : 'damaged';
  }
}

/** The exit status if objects are complete, but not in the form that git would write today. */
const FLAWED_OBJECTS = 1;

/** git connects to these addresses, whatever a resolver returns then. Takes git's URL and at least one address of its host. */
export function pinnedTo(url: string, addresses: readonly string[]): string[] {
  const { hostname, port, protocol } = new URL(url);
  if (addresses.length === 0) throw new Error(`${hostname} has no address.`);
  // An IP address needs no look-up.
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return [];
  const at = port === '' ? (protocol === 'https:' ? '443' : '80') : port;
  // A trailing dot means the same host, but is a different name to the client.
  const name = hostname.replace(/\.$/, '');
  return [name, `${name}.`].map((one) => `http.curloptResolve=${one}:${at}:${addresses.join(',')}`);
}
