import type { Edit, RolloutSiteState, RolloutState } from '#contract/rollout.ts';
import type { Permission } from '#contract/permissions.ts';
import { pointerSegments } from '#contract/rollout.ts';
import type { CheckId } from '#contract/site-check.ts';
import type { SiteInput } from '#contract/site.ts';
import type { Context } from '../context.ts';
import { Refusal } from '../errors.ts';
import type { Reads, StoredSite } from '../ports.ts';
import { changeSite } from '../sites/change-site.ts';
import { applyEdits, partsAsStored, withoutEdits } from './apply-edits.ts';
import type { ChangedPart, RolloutSiteRecord, StoredRollout } from './ports.ts';

/** The rollout was stopped meanwhile, or somebody else has changed the site for it. */
export class NotItsTurn extends Error {}

/** Changes a site by the edits of its rollout. `wrong`: the checks that are wrong before. */
export async function editSite(context: Context, rollout: StoredRollout, row: RolloutSiteRecord, wrong: readonly CheckId[]): Promise<void> {
  const edits = rollout.edits ?? [];
  await changeRow(context, rollout, row, {
    permission: permissionOf(edits),
    to: 'changed',
    wrong,
    next(site) {
      const { config, parts } = applyEdits(site, edits);
      return { config, parts };
    },
  });
}

/** Lets a site extend the staged profile. */
export async function stageSite(
  context: Context,
  rollout: StoredRollout,
  row: RolloutSiteRecord,
  wrong: readonly CheckId[],
): Promise<void> {
  const staged = { profile: rollout.profile?.staged ?? '' };
  await changeRow(context, rollout, row, {
    permission: 'config:write',
    to: 'staged',
    wrong,
    next({ config }) {
      const { extends: before } = config;
      return { config: { ...config, extends: staged }, parts: { extends: { ...(before === undefined ? {} : { before }), after: staged } } };
    },
  });
}

/** Gives a site back what its row says it had. Where somebody changed that since, the site is left alone and its row says so. */
export async function putSiteBack(
  context: Context,
  rollout: StoredRollout,
  row: RolloutSiteRecord,
  to: 'changed' | 'undone',
): Promise<void> {
  const parts = row.parts ?? {};
  const names = Object.keys(parts);
  await changeRow(context, rollout, row, {
    permission: names.some(isAboutPeople) ? 'access:write' : 'config:write',
    to,
    next(site) {
      const config = withoutEdits(site, parts, context.settings.codeHost);
      if (config === undefined) throw changedSince(names, site.version);
      return { config };
    },
  });
}

interface RowChange {
  readonly permission: Permission;
  readonly to: RolloutSiteState;
  readonly wrong?: readonly CheckId[];
  next(site: StoredSite): { readonly config: SiteInput; readonly parts?: Readonly<Record<string, ChangedPart>> };
}

/** One transaction with the site, its version and its row: a program that is killed between two sites has done each once, or not at all. */
async function changeRow(context: Context, rollout: StoredRollout, row: RolloutSiteRecord, change: RowChange): Promise<void> {
  const { org, id, state: during } = rollout;
  const { site, state: seen } = row;
  let next: RolloutSiteRecord = { ...row, state: unchangedState(change.to) };
  let edited: RolloutSiteRecord['parts'];
  let isStored = false;
  try {
    await changeSite(context, {
      name: { org, site },
      permission: change.permission,
      action: `rollout/${id}`,
      query: {},
      async next(_present, reads) {
        await requireTurn(reads, row, during);
        const stored = await reads.site(org, site);
        if (stored === undefined) throw new NotItsTurn();
        const made = change.next(stored);
        edited = made.parts;
        const parts = edited ?? row.parts;
        const { problem: _problem, ...rest } = row;
        next = {
          ...rest,
          state: change.to,
          from: row.from ?? stored.version,
          to: stored.version + 1,
          ...(parts === undefined ? {} : { parts }),
          ...(change.wrong === undefined ? {} : { wrong: change.wrong }),
        };
        return made.config;
      },
      async also(writes, config) {
        isStored = true;
        // An undo compares with what was stored.
        if (edited !== undefined && config !== null) next = { ...next, parts: partsAsStored(edited, config) };
        await writes.changeRollout({ kind: 'site', row: next, seen, during });
      },
    });
    if (!isStored) next = { ...row, state: unchangedState(change.to) };
  } catch (error) {
    if (!isFinal(error)) throw error;
    isStored = false;
    next = { ...row, state: change.to === 'undone' || row.state === 'staged' ? 'kept' : 'refused', problem: problemOf(error) };
  }
  if (!isStored) await context.store.write((writes) => writes.changeRollout({ kind: 'site', row: next, seen, during }));
}

/** A site that has already what it should have. */
function unchangedState(to: RolloutSiteState): RolloutSiteState {
  return to === 'undone' ? 'undone' : to === 'changed' || to === 'staged' ? 'unchanged' : to;
}

async function requireTurn(reads: Reads, { org, rollout, site, state }: RolloutSiteRecord, during: RolloutState): Promise<void> {
  const present = await reads.rolloutSite(org, rollout, site);
  if (present?.row.state !== state || present.state !== during) throw new NotItsTurn();
}

export function problemOf({ code, message, detail }: Refusal): { code: string; detail: string } {
  return { code, detail: detail ?? message };
}

function changedSince(parts: readonly string[], version: number): Refusal {
  const names = parts.join(', ');
  return new Refusal('PRECONDITION_FAILED', `Somebody changed ${names} of this site since (version ${version}), so it was left as it is.`);
}

/** What the strictest of the calls asks for that change these parts. */
export function permissionOf(edits: readonly Edit[]): Permission {
  return edits.some(({ path }) => isAboutPeople(pointerSegments(path)[0] ?? '')) ? 'access:write' : 'config:write';
}

function isAboutPeople(part: string): boolean {
  return part === 'access' || part === 'groups';
}

/** A refusal that trying again does not help. */
export function isFinal(error: unknown): error is Refusal {
  return error instanceof Refusal && !TRANSIENT.has(error.code);
}

const TRANSIENT: ReadonlySet<string> = new Set(['STORAGE_UNAVAILABLE', 'STORAGE_FULL', 'OVERLOADED', 'SHUTTING_DOWN']);
