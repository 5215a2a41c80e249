import { DEFAULT_REF } from '#contract/names.ts';
import { Refusal } from '#backend/domain/errors.ts';
import type { Services } from '../context.ts';
import type { TreeEntry } from '../git/objects.ts';
import { RepositoryProblem } from '../git/repository-problem.ts';
import type { RepositoryChange } from '../store/repositories.ts';
import type { StoredRepository } from '../store/stored-repository.ts';
import { accessTokenOf } from './sealed-texts.ts';

/**
 * Brings the mirror up to date, unless that was done within so many milliseconds, and notes what is to be told of it.
 * Throws RepositoryProblem, which is noted as well.
 */
export async function refreshMirror(services: Services, repository: StoredRepository, within = 0): Promise<void> {
  const token = accessTokenOf(services, repository);
  try {
    if (within === 0) await services.mirrors.fetch(repository, token);
    else await services.mirrors.fresh(repository, token, within);
  } catch (error) {
    if (error instanceof RepositoryProblem && repository.state === 'READY' && repository.problem !== error.message)
      await services.store.repositories.change(repository.id, { problem: error.message });
    throw error;
  }
  const main = await services.objects.find(services.mirrors.pathOf(repository), `refs/heads/${DEFAULT_REF}`);
  const isSame = main?.oid === repository.commit && repository.problem === undefined;
  if (isSame || repository.state !== 'READY') return;
  await services.store.repositories.change(repository.id, { ...(await mirrorFacts(services, repository)), problem: null });
}

/** The same for a reader: the vendor's trouble becomes REPOSITORY_UNREACHABLE. */
export async function refreshOrRefuse(services: Services, repository: StoredRepository, within: number): Promise<void> {
  try {
    await refreshMirror(services, repository, within);
  } catch (error) {
    throw unreachable(error);
  }
}

export function unreachable(error: unknown): unknown {
  return error instanceof RepositoryProblem ? new Refusal('REPOSITORY_UNREACHABLE', error.message, { cause: error }) : error;
}

/** What the mirror tells of `main`. */
export async function mirrorFacts(services: Services, repository: StoredRepository): Promise<RepositoryChange> {
  const path = services.mirrors.pathOf(repository);
  const main = await services.objects.find(path, `refs/heads/${DEFAULT_REF}`);
  const entries = main === undefined ? [] : ((await services.objects.tree(path, main.oid, true)) ?? []);
  const attributes = entries.find((entry) => entry.path === '.gitattributes' && entry.type === 'blob' && (entry.size ?? 0) < 1_000_000);
  const text = attributes === undefined ? undefined : await services.objects.bytes(path, attributes.oid);
  const usesLfs = text !== undefined && /filter=lfs/.test(new TextDecoder().decode(text));
  return {
    commit_sha: main?.oid ?? null,
    fetched: services.now().toISOString(),
    warnings: JSON.stringify(warningsOf(entries, usesLfs, services.rules.fileLimit)),
  };
}

function warningsOf(entries: readonly TreeEntry[], usesLfs: boolean, fileLimit: number): string[] {
  const size = `larger than ${Math.floor(fileLimit / 1024 / 1024)} MB`;
  const links = entries.filter(({ mode }) => mode === '120000');
  const submodules = entries.filter(({ type }) => type === 'commit');
  const large = entries.filter((entry) => (entry.size ?? 0) > fileLimit);
  return [
    ...notServed('symbolic link', 'symbolic links', links),
    ...notServed('submodule', 'submodules', submodules),
    ...notServed(`file ${size}`, `files ${size}`, large),
    ...(usesLfs ? ['Files in Git LFS are served as their pointers. Keep what sites need outside of Git LFS.'] : []),
  ];
}

function notServed(one: string, many: string, entries: readonly TreeEntry[]): string[] {
  const [first] = entries;
  if (first === undefined) return [];
  return [`${entries.length} ${entries.length === 1 ? `${one} is` : `${many} are`} not served, for example ${first.path}.`];
}
