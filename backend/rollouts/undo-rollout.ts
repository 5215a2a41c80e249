import type { Context } from '../domain/context.ts';
import type { StoredRollout } from './rules/ports.ts';
import { ProfileChanged, removeStagedProfile, restoreProfile } from './rules/profile-steps.ts';
import { RolloutInterrupted, putSiteBack } from './rules/site-steps.ts';
import { each, SITES_AT_ONCE, stoppedWhereStuck } from './work-on-rollout.ts';
import type { Work } from './work-on-rollout.ts';

/** Puts the next few sites of a rollout back, or ends the undo where none is left; it stops where some could not be put back. */
export async function undoRollout({ context, givesUp }: Omit<Work, 'look'>, rollout: StoredRollout): Promise<void> {
  const { org, id, profile, waves } = rollout;
  if (profile?.to !== undefined) return await restored(context, rollout, profile);
  for (const state of ['staged', 'changed'] as const) {
    const rows = await context.store.rollouts.next(org, id, state, { wave: waves.length, limit: SITES_AT_ONCE });
    if (rows.length > 0) return await each(rows, (row) => putSiteBack({ context, rollout, givesUp }, row, 'undone'));
  }
  if (await stoppedWhereStuck(context, rollout)) return;
  if (profile !== undefined) await removeStagedProfile(context, rollout, profile);
  await context.store.write(async (writes) => {
    const present = await writes.rollout(org, id);
    if (present?.revision !== rollout.revision) throw new RolloutInterrupted();
    const { revision: seen, ...record } = present;
    await writes.changeRollout({ kind: 'put', rollout: { ...record, state: 'undone', ended: context.now().toISOString() }, seen });
    // They were never tried.
    await writes.changeRollout({ kind: 'sites', org, rollout: id, from: 'waiting', to: 'unchanged' });
  });
}

/** Restores the profile; if somebody changed it since, it and its sites are left alone. */
async function restored(context: Context, rollout: StoredRollout, profile: NonNullable<StoredRollout['profile']>): Promise<void> {
  try {
    await restoreProfile(context, rollout, profile);
  } catch (error) {
    if (!(error instanceof ProfileChanged)) throw error;
    const { org, id, revision: seen, ...rest } = rollout;
    const { to: _to, ...left } = profile;
    await context.store.write(async (writes) => {
      await writes.changeRollout({
        kind: 'put',
        rollout: { ...rest, org, id, profile: left, stopped: { reason: 'profile-changed' } },
        seen,
      });
      await writes.changeRollout({ kind: 'sites', org, rollout: id, from: 'changed', to: 'kept' });
    });
  }
}
