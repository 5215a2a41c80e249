import type { Rollout, RolloutInput, RolloutPreview, RolloutSite, RolloutSiteState } from '@repoless/contract/rollout.ts';
import type { Known } from '../situation/situation.ts';

/** Orders to a rollout that was started. */
export type RolloutOrder = 'stop' | 'resume' | 'undo';

/** Those in a state, those that the checks found worse than before, or those that could not be given back what they had. */
export type RolloutSiteFilter = RolloutSiteState | 'worse' | 'stuck';

/** Sites of a rollout in the order of their names. `next`: where the page after this one begins; absent at the end. */
export interface RolloutSitePage {
  readonly sites: readonly RolloutSite[];
  readonly next?: string;
}

/** Changes of many sites, which the service makes by itself. Nothing throws: what went wrong is in the answer. */
export interface RolloutsPort {
  /** Newest first. Missing: the service makes none, or there is no such organization. */
  list(org: string): Promise<Known<readonly Rollout[]>>;
  /** What it would do to each site; nothing is changed. `etag`: as of the start. */
  preview(org: string, input: RolloutInput, etag?: string): Promise<Known<RolloutPreview>>;
  /** `etag`: of the profile that was read; another one by now refuses the start. */
  start(org: string, input: RolloutInput, etag?: string): Promise<Known<Rollout>>;
  rollout(org: string, id: string): Promise<Known<Rollout>>;
  /** In: which sites, or all; the name after which the page begins. */
  sites(org: string, id: string, which: RolloutSiteFilter | undefined, after: string | undefined): Promise<Known<RolloutSitePage>>;
  /** What an undo would do to each site; nothing is changed. */
  previewUndo(org: string, id: string): Promise<Known<RolloutPreview>>;
  order(org: string, id: string, order: RolloutOrder): Promise<Known<Rollout>>;
}
