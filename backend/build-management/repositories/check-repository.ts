import { CHALLENGE_FILE } from '@repoless/contract/build-management.ts';
import { codeSentence } from '@repoless/contract/code-sentences.ts';
import { DEFAULT_REF } from '@repoless/contract/names.ts';
import type { SealedValue } from '@repoless/contract/secret.ts';
import { setTimeout as wait } from 'node:timers/promises';
import type { Services } from '../context.ts';
import { RepositoryRemoved, RepositoryProblem } from '../git/repository-problem.ts';
import { isStorageUnavailable } from '../store/open-store.ts';
import type { RepositoryChange, StoredRepository } from '../store/repositories.ts';
import { mirrorFacts } from './refresh-mirror.ts';
import { accessTokenOf } from './sealed-texts.ts';

/** Starts a check that continues after its call was answered, in its organization's turn. A check that already waits is joined. */
export function startCheck(services: Services, { org, id: asked }: Pick<StoredRepository, 'org' | 'id'>): void {
  if (!services.checks.add(org, asked)) return;
  services.background.start('The check of a repository', () =>
    services.transfers.run(org, async () => {
      const id = services.checks.next(org);
      if (id === undefined) return;
      try {
        const repository = await services.store.repositories.byId(id);
        if (repository !== undefined) await checkRepository(services, repository);
      } catch (error) {
        // Its outcome could not be stored, so it would be checked forever.
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
    const awaited = await challengeAwaited(services, repository, token);
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
async function challengeAwaited(services: Services, repository: StoredRepository, token: SealedValue): Promise<string | undefined> {
  const { challenge } = repository;
  if (challenge === undefined) return (await isReadByAnybody(services, repository)) ? services.newSecret() : undefined;
  await services.mirrors.fetch(repository, token);
  const path = services.mirrors.pathOf(repository);
  const found = await services.objects.find(path, `refs/heads/${DEFAULT_REF}:${CHALLENGE_FILE}`);
  const bytes = found?.type === 'blob' && found.size < 1000 ? await services.objects.bytes(path, found.oid) : undefined;
  return bytes !== undefined && new TextDecoder().decode(bytes).trim() === challenge ? undefined : challenge;
}

/** A vendor that does not respond proves nothing: only a denial shows that a repository is not public. Throws RepositoryProblem. */
async function isReadByAnybody({ mirrors }: Services, repository: StoredRepository): Promise<boolean> {
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
