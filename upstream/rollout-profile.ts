import { sameValue } from '@repoless/contract/json.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import { hideCredentials } from '@repoless/core/history/cdn-credentials.ts';
import { haltedRollout } from '@repoless/core/rollouts/rollout-rules.ts';
import type { Outcome } from './call.ts';
import { change } from './change.ts';
import { PROFILE, SERVER_SET } from './document.ts';
import type { Raw } from './documents.ts';
import type { StoredRollout } from './rollout-document.ts';
import { requireTurn, siteCall, type Turn } from './rollout-sites.ts';

type Profile = NonNullable<StoredRollout['profile']>;

/** The members of a profile that people set. */
export function ownOf(profile: Raw): Raw {
  return Object.fromEntries(Object.entries(profile).filter(([name]) => !SERVER_SET.some((one) => one === name)));
}

/**
 * Whether it has secrets, site tokens, or CDN credentials: a rollout stores the profile before and after, and credentials are never stored.
 */
export function holdsCredentials(profile: object): boolean {
  const { secrets, tokens, cdn } = profile as { readonly secrets?: unknown; readonly tokens?: unknown; readonly cdn?: unknown };
  return [secrets, tokens].some((one) => Object.keys(Object(one)).length > 0) || !sameValue(hideCredentials(cdn), cdn);
}

async function changedProfile(turn: Turn, profile: string, next: (present: Raw | undefined) => Raw | null): Promise<Outcome> {
  return await change(siteCall(turn.call, turn.rollout.document, { profile }), PROFILE, {
    view: [],
    creates: true,
    next(present) {
      requireTurn(turn);
      return next(present);
    },
  });
}

export async function makeStaged(turn: Turn, { staged, config }: Profile): Promise<void> {
  await changedProfile(turn, staged, (present) => present ?? config);
}

export async function removeStaged(turn: Turn, { staged }: Profile): Promise<void> {
  const own = siteCall(turn.call, turn.rollout.document, { profile: staged });
  await change(own, PROFILE, { view: [], next: () => null }).catch((error: unknown) => {
    // It was never created, was removed, or is now extended by a site.
    if (!(error instanceof Refusal) || (error.code !== 'PROFILE_NOT_FOUND' && error.code !== 'HOSTED_REFUSED')) throw error;
  });
}

/** The profile was changed since. */
class ProfileChanged extends Error {}

/** Gives the new profile to all sites. */
export async function applyProfile(turn: Turn, profile: Profile): Promise<void> {
  await wholeProfile(turn, profile, profile.before, profile.config, (document, after) => ({
    ...document,
    profile: { ...profile, after },
    rows: document.rows.map((row) => (row.state === 'waiting' || row.state === 'refused' ? { ...row, state: 'changed' as const } : row)),
  }));
}

export async function restoreProfile(turn: Turn, profile: Profile): Promise<void> {
  const { after = {}, ...before } = profile;
  await wholeProfile(turn, profile, after, profile.before, (document) => ({
    ...document,
    profile: before,
    rows: document.rows.map((row) => (row.state === 'changed' ? { ...row, state: 'undone' as const } : row)),
  }));
}

async function wholeProfile(
  turn: Turn,
  { name, ...profile }: Profile,
  expected: Raw,
  config: Raw,
  then: (document: StoredRollout, stored: Raw) => StoredRollout,
): Promise<void> {
  const { rollout } = turn;
  try {
    const { body } = await changedProfile(turn, name, (present) => {
      const own = present === undefined ? {} : ownOf(present);
      if (!sameValue(own, expected) && !sameValue(own, config)) throw new ProfileChanged();
      return { ...present, ...Object.fromEntries(Object.keys(own).map((part) => [part, undefined])), ...config };
    });
    rollout.document = then(rollout.document, ownOf(Object(body)));
  } catch (error) {
    if (!(error instanceof ProfileChanged)) throw error;
    const { document } = rollout;
    if (document.state !== 'undoing') {
      rollout.document = haltedRollout(document, 'profile-changed');
      return;
    }
    // The profile and its sites are left alone.
    const rows = document.rows.map((row) => (row.state === 'changed' ? { ...row, state: 'kept' as const } : row));
    const { after: _after, ...left } = profile;
    rollout.document = { ...document, profile: { name, ...left }, stopped: { reason: 'profile-changed' }, rows };
  }
}
