import type { Rollout, RolloutSite } from '@repoless/contract/rollout.ts';
import { apiKeyUser } from '../../access/api-key-cache.ts';

import { ANONYMOUS, type Caller, requireUser } from '../../domain/context.ts';
import type { Reads, Writes } from '../../domain/ports.ts';
import type { RolloutCounts, RolloutRecord, RolloutSiteRecord, RolloutStarter } from './ports.ts';

/** What is told of a rollout. */
export function rolloutView(rollout: RolloutRecord, { total, states, worse, stuck }: RolloutCounts): Rollout {
  const { id, title, state, edits, profile, waves, wave, started, startedBy, ended, stopped } = rollout;
  return {
    id,
    title,
    state,
    ...(edits === undefined ? {} : { edits: [...edits] }),
    ...(profile === undefined ? {} : { profile: profile.name }),
    waves: [...waves],
    wave,
    total,
    sites: states,
    worse,
    ...(stuck === 0 ? {} : { stuck }),
    started,
    startedBy,
    ...(ended === undefined ? {} : { ended }),
    ...(stopped === undefined ? {} : { stopped }),
  };
}

export function rolloutSiteView({ site, wave, state, from, to, problem, stuck, worse = [] }: RolloutSiteRecord): RolloutSite {
  return {
    name: site,
    wave,
    state,
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...problem,
    ...(stuck === undefined ? {} : { stuck }),
    ...(worse.length === 0 ? {} : { worse: [...worse] }),
  };
}

export function starterOf(caller: Caller): RolloutStarter {
  const { email, names, key } = requireUser(caller);
  return { email, names, ...(key === undefined ? {} : { key }) };
}

/** The starter as a caller, with what it may at this moment; nobody where it was an API key that ended. */
export async function callerOf({ email, names, key }: RolloutStarter, reads: Reads, now: Date): Promise<Caller> {
  if (key === undefined) return { kind: 'user', email, names, tokenId: '', credential: 'header' };
  const stored = await reads.apiKey(key.id);
  return stored === undefined || stored.expires <= now ? ANONYMOUS : apiKeyUser(key);
}

/** A rollout that stopped by itself is wrong until somebody decides whether it goes on (docs/contract.md 9.1). */
export async function reportStoppedRollout(
  writes: Writes,
  { org, id, title }: RolloutRecord,
  { isOpen, now }: { isOpen: boolean; now: Date },
): Promise<void> {
  await writes.setCause({ kind: 'rollout-stopped', cause: `rollout:${id}`, org, about: title, isOpen, time: now.toISOString() });
}
