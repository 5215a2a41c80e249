import { setTimeout as wait } from 'node:timers/promises';
import type { BranchChange, Delivery } from '#contract/build-management-deliveries.ts';
import { branchProblem, sanitizeRef } from '#contract/names.ts';
import type { Services } from '../context.ts';
import { RepositoryProblem } from '../git/repository-problem.ts';
import { refreshMirror } from '../repositories/refresh-mirror.ts';
import { ServiceProblem } from '../service/configuration-service.ts';
import type { StoredRepository } from '../store/stored-repository.ts';

/** Milliseconds before each further attempt; a third of it comes and goes by chance. */
const DELAYS = [1000, 5000, 30_000, 120_000, 300_000];

/** Runs a delivery after its sender was answered; what passes is tried again. */
export function beginDelivery(services: Services, repository: StoredRepository, delivery: Delivery): void {
  services.background.begin('A delivery', async () => {
    for (const delay of [...DELAYS, undefined]) {
      const { again } = await services.transfers.run(repository.org, () =>
        runDelivery(services, repository, delivery, delay === undefined),
      );
      if (!again || delay === undefined) return;
      await wait(delay * (0.83 + Math.random() / 3), undefined, { signal: services.background.signal }).catch(() => undefined);
      if (services.background.signal.aborted) return;
    }
  });
}

/**
 * One attempt (docs/contract.md 7.4): the mirror is brought up to date, then the configuration service is told of each branch,
 * which reaches every site on the repository. The repository itself decides what became of a branch, not the event: an old
 * event that is sent again can neither remove a branch that is there, nor bring back one that is not.
 */
export async function runDelivery(
  services: Services,
  repository: StoredRepository,
  delivery: Delivery,
  isLast = true,
): Promise<{ again: boolean }> {
  const attempts = ((await services.store.deliveries.find(repository.id, delivery.id))?.attempts ?? delivery.attempts) + 1;
  const record = (change: Parameters<Services['store']['deliveries']['change']>[1]) =>
    services.store.deliveries.change(delivery.id, { ...change, attempts });
  const finished = () => services.now().toISOString();
  try {
    // As it is stored now: the access token may be another one since the event came.
    const current = await services.store.repositories.byKey(repository.key);
    if (current === undefined) return { again: false };
    await refreshMirror(services, current);
    const told = [];
    for (const change of delivery.changes) told.push(await tell(services, current, change));
    const jobs = JSON.stringify(told.flatMap((one) => one.jobs));
    const ignored = told.flatMap((one) => one.ignored ?? []);
    const outcome = ignored.length === told.length ? 'ignored' : 'done';
    await record({ outcome, jobs, detail: ignored.length === 0 ? null : ignored.join(' '), finished: finished() });
    return { again: false };
  } catch (error) {
    if (services.background.signal.aborted) return { again: false };
    const isTransient = error instanceof RepositoryProblem || (error instanceof ServiceProblem && error.passing);
    const detail = error instanceof RepositoryProblem || error instanceof ServiceProblem ? error.message : UNEXPECTED;
    if (isTransient && !isLast) {
      await record({ outcome: 'accepted', detail: `${detail} It will be tried again.` });
      return { again: true };
    }
    await record({ outcome: 'failed', detail: `${detail} Send it again once that is mended.`, finished: finished() });
    if (!(error instanceof RepositoryProblem || error instanceof ServiceProblem)) throw error;
    return { again: false };
  }
}

async function tell(services: Services, repository: StoredRepository, { branch, type }: BranchChange) {
  if (sanitizeRef(branch) === '') return { jobs: [], ignored: branchProblem(branch) };
  const found = await services.objects.find(services.mirrors.pathOf(repository), `refs/heads/${branch}`);
  const push = { org: repository.org, programId: repository.programId, repositoryId: repository.id, branch };
  if (found !== undefined) return await services.service.pushed(push);
  if (type === 'deleted') return await services.service.branchDeleted(push);
  return { jobs: [], ignored: `The branch "${branch}" is not at the git vendor any more.` };
}

const UNEXPECTED = 'Something unexpected happened.';
