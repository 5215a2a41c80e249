import type { Rollout, RolloutSite } from '@repoless/contract/rollout.ts';
import type { RolloutCounts, RolloutRecord, RolloutSiteRecord } from './ports.ts';

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
