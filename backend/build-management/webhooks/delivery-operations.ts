import type { BuildManagementEndpoints } from '@repoless/contract/build-management-endpoints.ts';
import type { Delivery } from '@repoless/contract/build-management.ts';
import { branchProblem, sanitizeRef } from '@repoless/contract/names.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import { type BuildContext, type BuildOperation, callerName, noteOf } from '../context.ts';
import { refreshOrRefuse } from '../repositories/refresh-mirror.ts';
import { findRepository } from '../repositories/repository-operations.ts';
import { NO_SITE } from '../service/configuration-service.ts';
import type { StoredRepository } from '../store/repositories.ts';
import { newDelivery } from './receive-webhook.ts';
import { runDelivery } from './run-delivery.ts';

export const listDeliveries: BuildOperation<BuildManagementEndpoints['listDeliveries']> = async (context, { params }) => {
  const { id } = await findRepository(context, params);
  return { status: 200, body: { deliveries: await context.store.deliveries.list(id) } };
};

/** Runs an event again from its stored data. One with an invalid signature is never run. */
export const resendDelivery: BuildOperation<BuildManagementEndpoints['resendDelivery']> = async (context, { params }) => {
  const repository = await findRepository(context, params);
  const delivery = await context.store.deliveries.find(repository.id, params.delivery);
  if (delivery === undefined || delivery.changes.length === 0) {
    const sentence = 'This delivery does not exist, or changes no branch. Only the last hundred are kept; read the list again.';
    throw new Refusal('DELIVERY_NOT_FOUND', sentence);
  }
  const begin = () =>
    context.store.deliveries.change(delivery.id, { outcome: 'accepted', detail: null, finished: null, caller: callerName(context) });
  const body = await ran(context, repository, delivery, begin);
  await noteSync(context, repository);
  return { status: 202, body };
};

/**
 * Sync Code: syncs a branch on request, without an event of the vendor. Refuses with REPOSITORY_UNKNOWN if no site uses the repository, and with
 * BODY_INVALID if no host can show the branch.
 */
export const syncCode: BuildOperation<BuildManagementEndpoints['syncCode']> = async (context, { params, body }) => {
  const repository = await findRepository(context, params);
  if (repository.state !== 'READY') {
    const sentence = `The repository "${repository.name}" is ${repository.state}, not READY. Code is synchronized only from a READY repository.`;
    throw new Refusal('REPOSITORY_NOT_READY', sentence, { data: { state: repository.state } });
  }
  await requireBranch(context, repository, body.branch);
  const delivery: Delivery = {
    ...newDelivery(context, 'sync code'),
    changes: [{ branch: body.branch, type: 'updated' }],
    user: callerName(context),
  };
  const run = await ran(context, repository, delivery, () => context.store.deliveries.add(repository.id, delivery));
  if (run.outcome !== 'ignored') {
    await noteSync(context, repository, body.branch);
    return { status: 202, body: run };
  }
  // Only the configuration service knows, once it is notified.
  await context.store.deliveries.remove(delivery.id);
  throw ignoredBecause(run.detail ?? NO_SITE);
};

/** Recorded afterwards, as in the service: the trail never reports a sync that did not start. */
async function noteSync(context: BuildContext, { id, org }: StoredRepository, branch?: string): Promise<void> {
  await context.store.repositories.note(id, noteOf(context, org, { action: 'sync-repository', ...(branch !== undefined && { branch }) }));
  context.telling.begin();
}

function ignoredBecause(detail: string): Refusal {
  if (detail === NO_SITE) return new Refusal('REPOSITORY_UNKNOWN', detail);
  return new Refusal('BODY_INVALID', detail, { errors: [{ pointer: '/branch', detail }] });
}

/** Refuses with BRANCH_NOT_FOUND, BODY_INVALID or REPOSITORY_UNREACHABLE: a requested sync that can do nothing is not started. */
async function requireBranch(context: BuildContext, repository: StoredRepository, branch: string): Promise<void> {
  if (sanitizeRef(branch) === '') {
    const detail = branchProblem(branch);
    throw new Refusal('BODY_INVALID', detail, { errors: [{ pointer: '/branch', detail }] });
  }
  await refreshOrRefuse(context, repository, 0);
  if ((await context.objects.find(context.mirrors.pathOf(repository), `refs/heads/${branch}`)) !== undefined) return;
  throw new Refusal('BRANCH_NOT_FOUND', `The repository "${repository.name}" has no branch "${branch}" at the git vendor.`, {
    data: { branch },
  });
}

/** A person waits for the outcome of the single attempt. Nothing is stored if it is refused because too many are waiting. */
async function ran(
  context: BuildContext,
  repository: StoredRepository,
  delivery: Delivery,
  begin: () => Promise<unknown>,
): Promise<Delivery> {
  await context.looks.run(repository.org, async () => {
    await begin();
    await runDelivery(context, repository, delivery);
  });
  return (await context.store.deliveries.find(repository.id, delivery.id)) ?? delivery;
}
