import { codeSentence } from '@repoless/contract/code-sentences.ts';
import { DEFAULT_REF } from '@repoless/contract/names.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import type { ListedEntry } from '../../git/read-objects.ts';
import { type Services, accessTokenOf } from '../context.ts';
import { RepositoryProblem, RepositoryRemoved } from '../git/repository-problem.ts';
import type { RepositoryChange, StoredRepository } from '../store/repositories.ts';
import { CHALLENGE_FILE } from '@repoless/contract/build-management.ts';
import type { SealedValue } from '@repoless/contract/secret.ts';
import { setTimeout as wait } from 'node:timers/promises';
import { isStorageUnavailable } from '../store/open-store.ts';

/** Updates the mirror unless that was done within this many milliseconds, and stores the result, including a RepositoryProblem. */
export async function refreshMirror(services: Services, repository: StoredRepository, within = 0): Promise<void> {
  try {
    const token = accessTokenOf(services, repository);
    if (within === 0) await services.mirrors.fetch(repository, token);
    else await services.mirrors.fetchUnlessRecent(repository, token, within);
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

/** `refreshMirror` for a call that waits: refuses with REPOSITORY_UNREACHABLE, or OVERLOADED if too many are waiting. */
export async function refreshOrRefuse(services: Services, repository: StoredRepository, within: number): Promise<void> {
  const { vendorCalls, refreshes } = services;
  try {
    // Everyone who waits for the same transfer shares one turn. Background transfers have separate turns and are not refused with them.
    await refreshes(`${repository.key} ${within}`, () =>
      vendorCalls.run(repository.org, () => refreshMirror(services, repository, within)),
    );
  } catch (error) {
    throw unreachable(error);
  }
}

export function unreachable(error: unknown): unknown {
  return error instanceof RepositoryProblem
    ? new Refusal('REPOSITORY_UNREACHABLE', error.message, { data: { says: error.message }, cause: error })
    : error;
}

/** The latest commit of `main`, and warnings about files that are not served. Nothing else about its files is stored. */
export async function mirrorFacts(services: Services, repository: StoredRepository): Promise<RepositoryChange> {
  const path = services.mirrors.pathOf(repository);
  const main = await services.objects.find(path, `refs/heads/${DEFAULT_REF}`);
  const { fileLimit } = services.rules;
  const links = unserved((count, what) => codeSentence(`linksUnserved.${numberOf(count)}`, { count, what }));
  const submodules = unserved((count, what) => codeSentence(`submodulesUnserved.${numberOf(count)}`, { count, what }));
  const limit = Math.floor(fileLimit / 1024 / 1024);
  const large = unserved((count, what) => codeSentence(`filesUnserved.${numberOf(count)}`, { count, limit, what }));
  let attributes: ListedEntry | undefined;
  const listed =
    main &&
    (await services.objects.tree(path, main.oid, true, (entry) => {
      if (entry.mode === '120000') links.add(entry);
      if (entry.type === 'commit') submodules.add(entry);
      if ((entry.size ?? 0) > fileLimit) large.add(entry);
      if (entry.path === '.gitattributes' && entry.type === 'blob' && (entry.size ?? 0) < 1_000_000) attributes = entry;
    }));
  const text = attributes === undefined ? undefined : await services.objects.bytes(path, attributes.oid);
  const usesLfs = text !== undefined && /filter=lfs/.test(new TextDecoder().decode(text));
  const warnings = [
    ...(listed?.truncated === true ? [codeSentence('mainTooLarge', { branch: DEFAULT_REF, limit: services.rules.fileCountLimit })] : []),
    ...[links, submodules, large].flatMap((one) => one.warning()),
    ...(usesLfs ? [codeSentence('pointersServed')] : []),
  ];
  return { commit_sha: main?.oid ?? null, fetched: services.now().toISOString(), warnings: JSON.stringify(warnings) };
}

function numberOf(count: number): 'one' | 'many' {
  return count === 1 ? 'one' : 'many';
}

function unserved(sentence: (count: number, first: string) => string): { add(entry: ListedEntry): void; warning(): string[] } {
  let count = 0;
  let first = '';
  return {
    add({ path }) {
      if (count === 0) first = path;
      count += 1;
    },
    warning: () => (count === 0 ? [] : [sentence(count, first)]),
  };
}

/** Starts a check that continues after its call was answered, in its organization's turn. A check that already waits is joined. */
export function startCheck(services: Services, { org, id: requestedId }: Pick<StoredRepository, 'org' | 'id'>): void {
  if (!services.checks.add(org, requestedId)) return;
  services.background.start('The check of a repository', () =>
    services.transfers.run(org, async () => {
      const id = services.checks.next(org);
      if (id === undefined) return;
      try {
        const repository = await services.store.repositories.byId(id);
        if (repository !== undefined) await checkRepository(services, repository);
      } catch (error) {
        // If its outcome was not stored, it would be checked forever.
        if (isStorageUnavailable(error))
          services.background.start('The check of a repository', async () => {
            await wait(LATER, undefined, { signal: services.background.signal });
            startCheck(services, { org, id });
          });
        throw error;
      }
    }),
  );
}

/**
 * Takes a repository from `added` through `ownership_confirmed` to READY, or to `failed` with the reason (docs/contract.md 7.1). Ownership
 * is proven by the access token reading the repository; if everyone can read it, or it was requested, also by a challenge on `main`.
 */
async function checkRepository(services: Services, repository: StoredRepository): Promise<void> {
  const record = (change: RepositoryChange) =>
    services.store.repositories.checked(repository, { ...change, last_modified: services.now().toISOString() });
  try {
    const token = accessTokenOf(services, repository);
    const branches = await services.mirrors.branches(repository, token);
    // Git takes any page at an address for a repository without branches.
    if (branches.length === 0) throw new RepositoryProblem(codeSentence('branchesMissing', { branch: DEFAULT_REF }));
    if (!branches.some(({ name }) => name === DEFAULT_REF))
      throw new RepositoryProblem(codeSentence('mainMissing', { branch: DEFAULT_REF }));
    const awaited = await openChallenge(services, repository, token);
    if (awaited !== undefined) {
      const problem = codeSentence('challengeAwaited', { what: CHALLENGE_FILE, token: awaited, branch: DEFAULT_REF });
      return void (await record({ state: 'added', challenge: awaited, problem }));
    }
    if (!(await record({ state: 'ownership_confirmed', problem: null }))) return;
    await services.mirrors.fetch(repository, token);
    await record({ state: 'READY', problem: null, ...(await mirrorFacts(services, repository)) });
  } catch (error) {
    if (services.background.signal.aborted || error instanceof RepositoryRemoved) return;
    const isKnown = error instanceof RepositoryProblem;
    if (isStorageUnavailable(error)) throw error;
    await record({ state: 'failed', problem: isKnown ? error.message : codeSentence('repositoryUnexpected') });
    if (!isKnown) throw error;
  }
}

/** The token of the challenge that has yet to be committed; undefined if ownership is proven. */
async function openChallenge(services: Services, repository: StoredRepository, token: SealedValue): Promise<string | undefined> {
  const { challenge } = repository;
  if (challenge === undefined) return (await isPublic(services, repository)) ? services.newSecret() : undefined;
  await services.mirrors.fetch(repository, token);
  const path = services.mirrors.pathOf(repository);
  const found = await services.objects.find(path, `refs/heads/${DEFAULT_REF}:${CHALLENGE_FILE}`);
  const bytes = found?.type === 'blob' && found.size < 1000 ? await services.objects.bytes(path, found.oid) : undefined;
  return bytes !== undefined && new TextDecoder().decode(bytes).trim() === challenge ? undefined : challenge;
}

/** A vendor that does not respond proves nothing: only a denial shows that a repository is not public. Throws RepositoryProblem. */
async function isPublic({ mirrors }: Services, repository: StoredRepository): Promise<boolean> {
  try {
    await mirrors.branches(repository, undefined);
    return true;
  } catch (error) {
    if (error instanceof RepositoryProblem && error.isDenied) return false;
    throw error;
  }
}

/** Milliseconds. */
const LATER = 5000;
