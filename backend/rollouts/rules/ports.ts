import type { RolloutSiteState, RolloutState } from '@repoless/contract/rollout.ts';
import type { ChangedPart } from '@repoless/core/rollouts/apply-edits.ts';
import type { RolloutCounts, RolloutFacts, RolloutSiteFacts } from '@repoless/core/rollouts/rollout-rules.ts';
import type { CheckId } from '@repoless/contract/site-check.ts';
import type { ProfileInput } from '@repoless/contract/site.ts';
import type { KeyGrant } from '../../sessions/identity.ts';

/** The person on whose behalf sites are changed, with the roles at that moment. */
export interface RolloutStarter {
  readonly email: string;
  readonly names: readonly string[];
  readonly key?: KeyGrant;
}

export interface ProfileRollout {
  readonly name: string;
  readonly config: ProfileInput;
  /** The profile that has the new configuration for the sites of the first waves. */
  readonly staged: string;
  /** The version that it replaces, and the new one. */
  readonly from: number;
  readonly to?: number;
}

/** A change of many sites, and on whose behalf it continues: the last to start, resume or undo it. */
export interface RolloutRecord extends RolloutFacts {
  readonly org: string;
  readonly profile?: ProfileRollout;
  readonly by: RolloutStarter;
  readonly requestId: string;
}

/** `revision` counts its writes: one that did not see the latest is decided again. */
export interface StoredRollout extends RolloutRecord {
  readonly revision: number;
}

export interface RolloutSiteRecord extends RolloutSiteFacts {
  readonly org: string;
  readonly rollout: string;
  readonly parts?: Readonly<Record<string, ChangedPart>>;
  /** Checks that failed before the change. */
  readonly wrong?: readonly CheckId[];
}

/** A site of a rollout, and the rollout's current state. */
export interface RolloutSiteOf {
  readonly row: RolloutSiteRecord;
  readonly state: RolloutState;
}

export type StartedSite = Pick<RolloutSiteFacts, 'site' | 'wave' | 'reviewed'>;

/** What a write changes about rollouts. A row that differs from what was read makes the write run again. */
export type RolloutChange =
  | {
      readonly kind: 'start';
      readonly rollout: RolloutRecord;
      readonly sites: readonly StartedSite[];
      /** The organization's unfinished rollouts at the time of the decision; a further one makes the write run again. */
      readonly beside: readonly string[];
    }
  | { readonly kind: 'put'; readonly rollout: RolloutRecord; readonly expected: number }
  /** Only while the rollout is in the matching state. */
  | { readonly kind: 'site'; readonly row: RolloutSiteRecord; readonly expected: RolloutSiteState; readonly during: RolloutState }
  /** Changes every site from one state to another. `extending`: only those that extend this profile at that moment. */
  | {
      readonly kind: 'sites';
      readonly org: string;
      readonly rollout: string;
      readonly from: RolloutSiteState;
      readonly to: RolloutSiteState;
      readonly extending?: string;
    }
  /** Retries those that could not be restored. */
  | { readonly kind: 'unstick'; readonly org: string; readonly rollout: string };

export interface RolloutLease {
  readonly org: string;
  readonly id: string;
  readonly owner: string;
  readonly now: string;
  readonly until: string;
}

/** A selection of a rollout's sites; `state`: empty for all. */
export interface RolloutSitePage {
  readonly state: RolloutSiteState | '';
  readonly worse?: boolean | undefined;
  readonly stuck?: boolean | undefined;
  readonly after: string;
  readonly limit: number;
}

/** Reads of rollouts, and their leases. */
export interface RolloutStore {
  /** Newest first. */
  list(org: string): Promise<StoredRollout[]>;
  /** `wave`: only this one; 0: all. */
  counts(org: string, id: string, wave: number): Promise<RolloutCounts>;
  /** Sorted by name. */
  sites(org: string, id: string, page: RolloutSitePage): Promise<RolloutSiteRecord[]>;
  /** In processing order: those in a state, up to a wave, and not stuck. */
  next(
    org: string,
    id: string,
    state: RolloutSiteState,
    page: { readonly wave: number; readonly limit: number },
  ): Promise<RolloutSiteRecord[]>;
  /** Waiting ones whose failing checks have not been recorded. */
  unnoted(org: string, id: string, limit: number): Promise<RolloutSiteRecord[]>;
  /** Changed ones that have not been checked since. */
  unevaluated(org: string, id: string, limit: number): Promise<RolloutSiteRecord[]>;
  /** Rollouts with work to do and no worker, the one whose last turn is longest ago first. `leased`: leases until then have expired. */
  open(leased: string, limit: number): Promise<{ readonly org: string; readonly id: string }[]>;
  /** Claims it, or renews the lease; false if another worker has it. */
  claim(lease: RolloutLease, leased: string): Promise<boolean>;
  /** Releases it; its turn was at the start of the lease. */
  release(lease: Omit<RolloutLease, 'until'>): Promise<void>;
  /** Deletes all finished ones except the newest. */
  removeOldest(org: string, limit: number): Promise<void>;
}
