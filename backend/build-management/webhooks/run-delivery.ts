import type { BranchChange, Delivery } from '@repoless/contract/build-management.ts';
import { codeSentence } from '@repoless/contract/code-sentences.ts';
import type { PushOutcome } from '@repoless/contract/job.ts';
import { branchProblem, sanitizeRef } from '@repoless/contract/names.ts';
import { setTimeout as wait } from 'node:timers/promises';
import { listRefs } from '../../git/read-objects.ts';
import type { WaitingDelivery } from '../background-work.ts';
import type { Services } from '../context.ts';
import { RepositoryRemoved, RepositoryProblem } from '../git/repository-problem.ts';
import { refreshMirror } from '../repositories/refresh-mirror.ts';
import { type Push, ServiceProblem } from '../service/configuration-service.ts';
import { isStorageUnavailable } from '../store/open-store.ts';
import type { StoredRepository } from '../store/repositories.ts';

/** Milliseconds before each further attempt, with up to a third of jitter. */
const DELAYS = [1000, 5000, 30_000, 120_000, 300_000];

/** What stays in memory of a repository while its deliveries wait. */
type RepositoryKeys = Pick<StoredRepository, 'id' | 'org' | 'key'>;

/** Runs a stored delivery after its sender was answered, and retries transient failures. Calls `ended` after the last attempt. */
export function startDelivery(
  services: Services,
  { id: repository, org, key }: RepositoryKeys,
  { id }: Pick<Delivery, 'id'>,
  ended: () => void,
): void {
  const attempt = (isLast: boolean) =>
    services.events.join(repository, { id, isLast }, (take) =>
      services.transfers.run(org, async () => {
        const { toRetry, unexpected } = await runDeliveries(services, key, take());
        if (unexpected !== undefined && !(unexpected instanceof RepositoryRemoved))
          services.background.start('A delivery', () => Promise.reject(unexpected));
        return toRetry;
      }),
    );
  services.background.start('A delivery', async () => {
    try {
      // The last attempt repeats until its outcome is stored: an unavailable storage must not lose an acknowledged event.
      for (let attempts = 0; await attempt(attempts >= DELAYS.length); attempts += 1) {
        const delay = DELAYS[Math.min(attempts, DELAYS.length - 1)] ?? 0;
        await wait(delay * (0.83 + Math.random() / 3), undefined, { signal: services.background.signal }).catch(() => undefined);
        if (services.background.signal.aborted) return;
      }
    } finally {
      ended();
    }
  });
}

/** The only attempt of a delivery that a person waits for. */
export async function runDelivery(services: Services, repository: StoredRepository, delivery: Delivery): Promise<void> {
  const { toRetry, unexpected } = await runDeliveries(services, repository.key, [{ id: delivery.id, isLast: true }]);
  if (toRetry.size > 0) startDelivery(services, repository, delivery, services.events.count(repository.org));
  if (unexpected !== undefined) throw unexpected;
}

interface AttemptResult {
  /** Deliveries to run again; of last attempts, those whose outcome could not be stored. */
  readonly toRetry: ReadonlySet<string>;
  /** An unexpected error, one of the storage, or the removal of the repository. */
  readonly unexpected?: Error;
}

/**
 * One attempt for the deliveries of a repository (docs/contract.md 7.4): updates the mirror, then notifies the configuration service of
 * each branch, which reaches every site on the repository. The repository, not the event, decides the state of a branch, so an old event
 * that is resent can neither remove an existing branch nor restore a deleted one. One transfer serves all earlier deliveries, and each
 * branch is reported once.
 */
async function runDeliveries(services: Services, key: string, deliveries: readonly WaitingDelivery[]): Promise<AttemptResult> {
  const toRetry = new Set<string>();
  let unexpected: Error | undefined;
  const note = (error: unknown) => (unexpected ??= error instanceof Error ? error : new Error(String(error)));
  let repository: StoredRepository | undefined;
  try {
    // Read again: the access token may have changed since the event.
    repository = await services.store.repositories.byKey(key);
    // Also removes what was stored after its removal.
    if (repository === undefined) for (const { id } of deliveries) await services.store.deliveries.remove(id);
  } catch (error) {
    return { toRetry: new Set(deliveries.map(({ id }) => id)), unexpected: note(error) };
  }
  if (repository === undefined) return { toRetry, unexpected: new RepositoryRemoved() };
  const run = { services, repository, report: reportOnce(services, repository), note };
  for (const delivery of deliveries) {
    try {
      if (await attemptDelivery(run, delivery)) toRetry.add(delivery.id);
    } catch (error) {
      // Its outcome was not stored.
      toRetry.add(delivery.id);
      note(error);
    }
    if (services.background.signal.aborted) return { toRetry: new Set() };
  }
  return { toRetry, ...(unexpected !== undefined && { unexpected }) };
}

interface Run {
  readonly services: Services;
  readonly repository: StoredRepository;
  report(change: BranchChange): Promise<Reported>;
  note(error: unknown): Error;
}

/** Runs one delivery and stores its outcome. Returns whether it must be retried. Rejects if it could not be read or stored. */
async function attemptDelivery({ services, repository, report, note }: Run, { id, isLast }: WaitingDelivery): Promise<boolean> {
  const delivery = await services.store.deliveries.find(repository.id, id);
  if (delivery === undefined) return false;
  const attempts = delivery.attempts + 1;
  const record = (change: Parameters<Services['store']['deliveries']['change']>[1]) =>
    services.store.deliveries.change(id, { ...change, attempts });
  const finished = () => services.now().toISOString();
  const reported: Reported[] = [];
  try {
    for (const change of delivery.changes) reported.push(await report(change));
  } catch (error) {
    if (services.background.signal.aborted) return false;
    const isKnown = error instanceof RepositoryProblem || error instanceof ServiceProblem;
    const problem = isKnown ? error.message : codeSentence(isStorageUnavailable(error) ? 'buildsUnresponsive' : 'deliveryUnexpected');
    if (isTransientError(error) && !isLast) {
      await record({ outcome: 'accepted', detail: codeSentence('deliveryRepeats', { problem }) });
      return true;
    }
    if (!isKnown) note(error);
    await record({ outcome: 'failed', detail: codeSentence('deliveryFailed', { problem }), finished: finished() });
    return false;
  }
  const jobs = JSON.stringify(reported.flatMap((one) => one.jobs));
  const ignored = reported.flatMap((one) => one.ignored ?? []);
  const outcome = ignored.length === reported.length ? 'ignored' : 'done';
  await record({ outcome, jobs, detail: ignored.length === 0 ? null : [...new Set(ignored)].join(' '), finished: finished() });
  return false;
}

function isTransientError(error: unknown): boolean {
  return error instanceof RepositoryProblem || (error instanceof ServiceProblem && error.isTransient) || isStorageUnavailable(error);
}

type Reported = Awaited<ReturnType<typeof reportChange>>;

/** Reports each branch once, after one transfer for all; once the vendor or the service is unreachable, makes no further calls. */
function reportOnce(services: Services, repository: StoredRepository): (change: BranchChange) => Promise<Reported> {
  const reports = new Map<string, Promise<Reported>>();
  let refreshed: Promise<void> | undefined;
  let unreachable: unknown;
  return async (change) => {
    if (unreachable !== undefined) throw unreachable;
    const what = `${change.type} ${change.branch}`;
    const known = reports.get(what);
    if (known !== undefined) return await known;
    try {
      await (refreshed ??= refreshMirror(services, repository));
      const report = reportChange(services, repository, change);
      reports.set(what, report);
      return await report;
    } catch (error) {
      if (isTransientError(error)) unreachable = error;
      throw error;
    }
  };
}

async function reportChange(services: Services, repository: StoredRepository, { branch, type }: BranchChange) {
  if (sanitizeRef(branch) === '') return { jobs: [], ignored: branchProblem(branch) };
  const found = await services.objects.find(services.mirrors.pathOf(repository), `refs/heads/${branch}`);
  const push = { org: repository.org, programId: repository.programId, repositoryId: repository.id, branch };
  if (found !== undefined) return await services.service.reportPush(push);
  if (type === 'deleted') return await reportDeletion(services, repository, push);
  return { jobs: [], ignored: codeSentence('branchGone', { branch }) };
}

/** Several branches can share a host name: if the one that is shown is deleted, another existing one replaces it. */
async function reportDeletion(services: Services, repository: StoredRepository, push: Push): Promise<PushOutcome> {
  const outcome = await services.service.branchDeleted(push);
  if (outcome.ignored !== undefined) return outcome;
  const ref = sanitizeRef(push.branch);
  let other: string | undefined;
  const call = { repository: services.mirrors.pathOf(repository), signal: services.background.signal };
  await listRefs({ ...call, below: 'refs/heads', sort: '-committerdate' }, (name) => {
    const branch = name.replace('refs/heads/', '');
    if (sanitizeRef(branch) === ref) other ??= branch;
  });
  return other === undefined ? outcome : await services.service.reportPush({ ...push, branch: other });
}
