import type { Rollout, RolloutInput, RolloutPreview, RolloutSite, RolloutSiteState } from '@repoless/contract/rollout.ts';
import type { Known } from '../situation/situation.ts';

export type RolloutOrder = 'stop' | 'resume' | 'undo';

/** Sites in a state, on which checks fail that passed before, or that could not be restored. */
export type RolloutSiteFilter = RolloutSiteState | 'worse' | 'stuck';

/** Sites of a rollout in order of name. `next`: where the next page starts; absent at the end. */
export interface RolloutSitePage {
  readonly sites: readonly RolloutSite[];
  readonly next?: string;
}

/** Changes to many sites, which the service carries out. Nothing throws: failures are in the answer. */
export interface RolloutsPort {
  /** Newest first. Missing: the service has no rollouts, or there is no such organization. */
  list(org: string): Promise<Known<readonly Rollout[]>>;
  /** The effect on each site; nothing is changed. `etag`: as for `start`. */
  preview(org: string, input: RolloutInput, etag?: string): Promise<Known<RolloutPreview>>;
  /** `etag`: of the profile that was read; the start is refused if it has changed. */
  start(org: string, input: RolloutInput, etag?: string): Promise<Known<Rollout>>;
  rollout(org: string, id: string): Promise<Known<Rollout>>;
  /** Takes a filter, or undefined for all, and the name after which the page starts. */
  sites(org: string, id: string, which: RolloutSiteFilter | undefined, after: string | undefined): Promise<Known<RolloutSitePage>>;
  /** The effect of an undo on each site; nothing is changed. */
  previewUndo(org: string, id: string): Promise<Known<RolloutPreview>>;
  order(org: string, id: string, order: RolloutOrder): Promise<Known<Rollout>>;
}
