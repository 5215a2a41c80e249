import type { Permission } from '@repoless/contract/access.ts';
import type { rolloutEndpoints } from '@repoless/contract/rollout.ts';
import { permit } from '../../access/permit.ts';
import { dryRunOf } from '../../changes/part-calls.ts';
import { type Context, linkTo, type Operation, type Outcome, pageOf } from '../../domain/context.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import type { Writes } from '../../domain/ports.ts';
import {
  type OrderedRollout,
  resumedRollout,
  type RolloutCounts,
  rolloutSiteView,
  rolloutView,
  stoppedRollout,
  undoneRollout,
} from '@repoless/core/rollouts/rollout-rules.ts';
import type { RolloutRecord, StoredRollout } from './ports.ts';
import { previewUndo } from './preview.ts';
import { permissionOf, sitesInState } from './site-steps.ts';
import { reportStoppedRollout, starterOf, startRollout } from './start-rollout.ts';
import { requireUser } from '../../sessions/identity.ts';

type Rows = typeof rolloutEndpoints;
export type RolloutOperations = { readonly [Id in keyof Rows]: Operation<Rows[Id]> };

/** Changes of many sites (docs/contract.md 3.17). `wake`: this rollout has work to do. */
export function rolloutOperations({ wake }: { wake(rollout: string): void }): RolloutOperations {
  return {
    listRollouts,
    startRollout: startRollout(wake),
    getRollout,
    listRolloutSites,
    stopRollout: (context, { params }) =>
      order(context, params, { action: 'stop-rollout', next: (current) => stoppedRollout(current, requireUser(context.caller).email) }),
    async resumeRollout(context, { params }) {
      const outcome = await order(context, params, {
        action: 'resume-rollout',
        next: (current, counts) => resumed(context, current, counts),
      });
      wake(params.rollout);
      return outcome;
    },
    async undoRollout(context, { params, query }) {
      if (query.dryRun === true) return await triedUndo(context, params);
      const outcome = await order(context, params, { action: 'undo-rollout', next: (current) => undone(context, current) });
      wake(params.rollout);
      return outcome;
    },
  };
}

const listRollouts: Operation<Rows['listRollouts']> = async ({ store: { rollouts } }, { params: { org } }) => {
  const found = await rollouts.list(org);
  const views = await Promise.all(found.map(async (one) => rolloutView(one, await rollouts.counts(org, one.id, 0))));
  return { result: 'done', body: { rollouts: views } };
};

const getRollout: Operation<Rows['getRollout']> = async (context, { params }) => {
  const found = await findRollout(context.store.reads, params);
  return shown(context, found);
};

const listRolloutSites: Operation<Rows['listRolloutSites']> = async ({ store }, { params, query }) => {
  const { org, rollout } = params;
  const { state, worse, stuck, after = '', limit = MAX_SITES } = query;
  await findRollout(store.reads, params);
  const found = await store.rollouts.sites(org, rollout, { state: state ?? '', worse, stuck, after, limit: limit + 1 });
  const { shown: sites, last } = pageOf(found, limit);
  const filter = Object.entries({ state, worse, stuck }).map(([name, value]) => (value === undefined ? '' : `&${name}=${value}`));
  const next = last && `/config/${org}/rollouts/${rollout}/sites.json?limit=${limit}&after=${last.site}${filter.join('')}`;
  return { result: 'done', body: { sites: sites.map(rolloutSiteView) }, ...linkTo(next) };
};

interface Params {
  readonly org: string;
  readonly rollout: string;
}

interface Order {
  readonly action: string;
  /** Throws refusals. */
  next(current: StoredRollout, counts: RolloutCounts): Ordered | Promise<Ordered>;
}

interface Ordered {
  readonly rollout: RolloutRecord;
  also?(writes: Writes): Promise<void>;
}

async function order(context: Context, params: Params, { action, next }: Order): Promise<Outcome> {
  const { org, rollout: id } = params;
  const created = await context.store.write(async (writes) => {
    const current = await findRollout(writes, params);
    const { rollout, also } = await next(current, await context.store.rollouts.counts(org, id, 0));
    await writes.changeRollout({ kind: 'put', rollout, expected: current.revision });
    await also?.(writes);
    // The person who gives an order knows about it.
    await reportStoppedRollout(writes, rollout, { isOpen: false, now: context.now() });
    const user = requireUser(context.caller).email;
    await writes.addAudit({ org, time: context.now(), user, action: `${action}/${id}`, requestId: context.requestId });
    return rollout;
  });
  return shown(context, created);
}

async function shown({ store }: Context, rollout: RolloutRecord): Promise<Outcome> {
  return { result: 'done', body: rolloutView(rollout, await store.rollouts.counts(rollout.org, rollout.id, 0)) };
}

async function resumed(context: Context, current: StoredRollout, counts: RolloutCounts): Promise<Ordered> {
  const ordered = resumedRollout(current, counts);
  if (ordered.rollout.state === 'undoing') await permitUndo(context, current);
  return taken(context, ordered);
}

async function undone(context: Context, current: StoredRollout): Promise<Ordered> {
  const ordered = undoneRollout(current);
  await permitUndo(context, current);
  return taken(context, ordered);
}

/** It continues on behalf of the person who gave the order, retrying the marked sites. */
function taken({ caller }: Context, { rollout, retried }: OrderedRollout<StoredRollout>): Ordered {
  const { org, id } = rollout;
  return {
    rollout: { ...rollout, by: starterOf(caller) },
    also: (writes) =>
      writes.changeRollout(
        retried === 'refused' ? { kind: 'sites', org, rollout: id, from: 'refused', to: 'waiting' } : { kind: 'unstick', org, rollout: id },
      ),
  };
}

/** What an undo would do, to the sites and to people. */
async function triedUndo(context: Context, params: Params): Promise<Outcome> {
  const current = await findRollout(context.store.reads, params);
  const { rollout } = await undone(context, current);
  const shown = rolloutView(rollout, await context.store.rollouts.counts(params.org, params.rollout, 0));
  return dryRunOf({ result: 'done', body: { ...shown, preview: await previewUndo(context, current) }, diff: [] });
}

async function findRollout(reads: Pick<Writes, 'rollout'>, { org, rollout }: Params): Promise<StoredRollout> {
  const found = await reads.rollout(org, rollout);
  if (found !== undefined) return found;
  throw new Refusal('ROLLOUT_NOT_FOUND', `The organization "${org}" has no rollout "${rollout}".`);
}

const MAX_SITES = 1000;

/**
 * Refuses to undo edits unless the caller may revert them on every site that has them, before it starts on the caller's behalf. Rule:
 * docs/contract.md 3.17.
 */
async function permitUndo(context: Context, { org, id, edits }: StoredRollout): Promise<void> {
  if (edits === undefined) return;
  const { reads, rollouts } = context.store;
  const permission = permissionOf(edits);
  if (mayEverywhere(context, permission, { name: org, org: await reads.org(org) })) return;
  for await (const row of sitesInState(rollouts, { org, id }, 'changed')) {
    const { org: stored, site } = await reads.orgAndSite(org, row.site);
    if (site !== undefined) permit(context.caller, permission, { name: org, org: stored, site: site.aggregate });
  }
}

/** An administrator of the organization need not be checked on each site. */
function mayEverywhere({ caller }: Context, permission: Permission, resource: Parameters<typeof permit>[2]): boolean {
  try {
    permit(caller, permission, resource);
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}
