import { ProfileInput } from '@repoless/contract/site.ts';
import type { Context } from '../../domain/context.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import { readVersion } from '../../history/read-versions.ts';
import type { Reads, Writes } from '../../domain/ports.ts';
import { changeProfile } from '../../profiles/profile-document.ts';
import type { ProfileRollout, RolloutRecord, StoredRollout } from './ports.ts';

/** The profile is not the one that the rollout started with, or created. */
export class ProfileChanged extends Error {}

/** Creates the profile that the sites of the first waves extend. */
export async function makeStagedProfile(context: Context, { org }: StoredRollout, profile: ProfileRollout): Promise<void> {
  const { name: _name, created: _created, lastModified: _lastModified, ...config } = profile.config;
  const copiedFrom = (await context.store.reads.profile(org, profile.name))?.config;
  await changeProfile(context, {
    name: { org, profile: profile.staged },
    permission: 'org:configure',
    action: 'put',
    query: {},
    creates: true,
    copiedFrom,
    next: () => config,
  });
}

/** Removes it again; if a site has started to extend it in the meantime, it stays. */
export async function removeStagedProfile(context: Context, { org }: StoredRollout, profile: ProfileRollout): Promise<void> {
  try {
    await changeProfile(context, {
      name: { org, profile: profile.staged },
      permission: 'org:configure',
      action: 'delete',
      query: {},
      next: () => null,
    });
  } catch (error) {
    if (!(error instanceof Refusal) || !['PROFILE_NOT_FOUND', 'PROFILE_IN_USE'].includes(error.code)) throw error;
  }
}

/** Gives all sites the new profile, in one transaction with the rollout. Refuses with ProfileChanged. */
export function applyProfile(context: Context, rollout: StoredRollout, profile: ProfileRollout): Promise<void> {
  const applied = { ...rollout, profile: { ...profile, to: profile.from + 1 } };
  return putProfile(context, rollout, {
    profile,
    expected: profile.from,
    config: () => Promise.resolve(profile.config),
    async also(writes) {
      await putRollout(writes, rollout, applied);
      const { org, id } = rollout;
      for (const from of ['waiting', 'refused'] as const) {
        await writes.changeRollout({ kind: 'sites', org, rollout: id, from, to: 'changed', extending: profile.name });
        // They were removed, or given another profile since.
        await writes.changeRollout({ kind: 'sites', org, rollout: id, from, to: 'unchanged' });
      }
    },
  });
}

/** Gives all sites the previous profile. Refuses with ProfileChanged. */
export function restoreProfile(context: Context, rollout: StoredRollout, profile: ProfileRollout): Promise<void> {
  const { to: _to, ...before } = profile;
  const { org, id } = rollout;
  return putProfile(context, rollout, {
    profile,
    expected: profile.to ?? profile.from,
    config: (reads) => readVersion(reads, { kind: 'profile', org, profile: profile.name }, profile.from, ProfileInput),
    async also(writes) {
      await putRollout(writes, rollout, { ...rollout, profile: before });
      await writes.changeRollout({ kind: 'sites', org, rollout: id, from: 'changed', to: 'undone' });
    },
  });
}

interface ProfileChange {
  readonly profile: ProfileRollout;
  readonly expected: number;
  config(reads: Reads): Promise<ProfileInput>;
  also(writes: Writes): Promise<void>;
}

async function putProfile(context: Context, { org, id }: StoredRollout, { profile, expected, config, also }: ProfileChange): Promise<void> {
  let isStored = false;
  await changeProfile(context, {
    name: { org, profile: profile.name },
    permission: 'org:configure',
    action: `rollout-${id}`,
    query: {},
    async next(current, reads) {
      if (current?.version !== expected) throw new ProfileChanged();
      return await config(reads);
    },
    async storeWith(writes) {
      isStored = true;
      await also(writes);
    },
  });
  // It is already in the target state: there is no version to create.
  if (!isStored) await context.store.write(also);
}

async function putRollout(writes: Writes, { revision }: StoredRollout, rollout: RolloutRecord): Promise<void> {
  await writes.changeRollout({ kind: 'put', rollout, expected: revision });
}
