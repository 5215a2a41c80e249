import { randomUUID } from 'node:crypto';
import { opendir, readdir, rm, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { TIERS } from './object-key.ts';

/**
 * The keys of the copies in a folder, in their order, behind one. A folder is read after the other, and of one with very many names no more
 * are held than a few thousand, so that whoever else uses the thread has turns. Drafts that nobody finished and empty folders are removed
 * on the way. Rejects with what the file system says.
 */
export async function* listFolder(folder: string, after: string): AsyncGenerator<string> {
  const [lastTier = '', lastOrg = '', lastSite = ''] = after.split('/');
  for (const tier of TIERS.toSorted()) {
    if (tier < lastTier) continue;
    const fromOrg = tier === lastTier ? lastOrg : '';
    for await (const orgs of namesOf(join(folder, tier), fromOrg, 'included'))
      for (const org of orgs) {
        const fromSite = tier === lastTier && org === lastOrg ? lastSite : '';
        for await (const sites of namesOf(join(folder, tier, org), fromSite, 'left out')) yield* copiesOf(folder, `${tier}/${org}`, sites);
        await removeEmpty(join(folder, tier, org));
      }
  }
}

async function* copiesOf(folder: string, parent: string, sites: readonly string[]): AsyncGenerator<string> {
  for (let at = 0; at < sites.length; at += FOLDERS_AT_ONCE) {
    const some = sites.slice(at, at + FOLDERS_AT_ONCE);
    const have = await Promise.all(some.map((site) => hasCopy(join(folder, parent, site))));
    for (const [index, site] of some.entries()) if (have[index] === true) yield `${parent}/${site}/${COPY}`;
  }
}

async function hasCopy(folder: string): Promise<boolean> {
  const names = (await readdir(folder).catch(absent)) ?? [];
  // One that cannot be removed, e.g. by another account, is tried again with the next look.
  for (const name of names) if (DRAFT.test(name)) await removeOld(join(folder, name)).catch(() => undefined);
  if (!names.includes(COPY)) await removeEmpty(folder);
  return names.includes(COPY);
}

async function removeOld(draft: string): Promise<void> {
  const { mtimeMs } = await stat(draft);
  if (Date.now() - mtimeMs > HOUR) await rm(draft, { force: true });
}

/** The names in a folder behind one, in the order of the keys below them, some at a time. */
async function* namesOf(folder: string, first: string, how: 'included' | 'left out'): AsyncGenerator<string[]> {
  let from = first === '' ? '' : `${first}/`;
  for (let isBehind = how === 'left out'; ; isBehind = true) {
    const { names, hasMore } = await leastOf(folder, (name) => (isBehind ? name > from : name >= from));
    yield names.map((name) => name.slice(0, -1));
    if (!hasMore) return;
    from = names.at(-1) ?? from;
  }
}

/** The least of the names in a folder, each with a slash behind it. */
async function leastOf(folder: string, isWanted: (name: string) => boolean): Promise<{ names: string[]; hasMore: boolean }> {
  let names: string[] = [];
  let bound: string | undefined;
  const entries = await opendir(folder, { bufferSize: ENTRIES_AT_ONCE }).catch(absent);
  for await (const entry of entries ?? []) {
    const name = `${entry.name}/`;
    if (!isWanted(name) || (bound !== undefined && name > bound)) continue;
    names.push(name);
    if (names.length < 2 * NAMES) continue;
    names = names.toSorted().slice(0, NAMES);
    bound = names.at(-1);
  }
  return { names: names.toSorted().slice(0, NAMES), hasMore: bound !== undefined || names.length > NAMES };
}

/** The name of what is written into a folder until it is whole. */
export function draftName(): string {
  return `.${randomUUID()}`;
}

/** Removes a folder in which nothing is, and leaves any other. Whoever is about to write into it makes it again. */
export async function removeEmpty(folder: string): Promise<void> {
  await rmdir(folder).catch(() => undefined);
}

/** Nothing, where there is no such file or folder. */
export function absent(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return undefined;
  throw error;
}

const COPY = 'config.json';
const DRAFT = /^\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** Milliseconds; no write takes as long. */
const HOUR = 60 * 60_000;
/** Held in memory of one folder. */
const NAMES = 10_000;
const ENTRIES_AT_ONCE = 256;
const FOLDERS_AT_ONCE = 16;
