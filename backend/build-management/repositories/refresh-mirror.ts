import { codeSentence } from '@repoless/contract/code-sentences.ts';
import { DEFAULT_REF } from '@repoless/contract/names.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import type { ListedEntry } from '../../git/list-tree.ts';
import type { Services } from '../context.ts';
import { RepositoryProblem } from '../git/repository-problem.ts';
import type { RepositoryChange, StoredRepository } from '../store/repositories.ts';
import { accessTokenOf } from './sealed-texts.ts';

/** Updates the mirror unless that was done within this many milliseconds, and records the result, also if it is a RepositoryProblem. */
export async function refreshMirror(services: Services, repository: StoredRepository, within = 0): Promise<void> {
  try {
    const token = accessTokenOf(services, repository);
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

/** The same for a reader, in its turn: refuses with REPOSITORY_UNREACHABLE, or OVERLOADED if too many are waiting. */
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

/** Facts about `main` from the mirror. Of its files only these facts are stored. */
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
