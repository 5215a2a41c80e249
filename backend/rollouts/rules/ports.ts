import type { RolloutSiteState, RolloutState } from '@repoless/contract/rollout.ts';
import type { ChangedPart } from '@repoless/core/rollouts/apply-edits.ts';
import type { RolloutCounts, RolloutFacts, RolloutSiteFacts } from '@repoless/core/rollouts/rollout-rules.ts';
import type { CheckId } from '@repoless/contract/site-check.ts';
import type { ProfileInput } from '@repoless/contract/site.ts';
import type { KeyGrant } from '../../domain/context.ts';

/** In whose name sites are changed: with the roles that this caller has at that moment. */
export interface RolloutStarter {
  readonly email: string;
  readonly names: readonly string[];
  readonly key?: KeyGrant;
}

/** A profile that is rolled out. */
export interface ProfileRollout {
  readonly name: string;
  readonly config: ProfileInput;
  /** The profile that has the new configuration for the sites of the first waves. */
  readonly staged: string;
  /** The version that it replaces, and the one that it became. */
  readonly from: number;
  readonly to?: number;
}

/** A change of many sites, in whose name it goes on: whoever started, resumed or undid it. */
export interface RolloutRecord extends RolloutFacts {
  readonly org: string;
  readonly profile?: ProfileRollout;
  readonly by: RolloutStarter;
  readonly requestId: string;
}

/** `revision` counts its writes: one that did not see the last is decided again. */
export interface StoredRollout extends RolloutRecord {
  readonly revision: number;
}

/** A site of a rollout. */
export interface RolloutSiteRecord extends RolloutSiteFacts {
  readonly org: string;
  readonly rollout: string;
  readonly parts?: Readonly<Record<string, ChangedPart>>;
  /** Checks that were wrong before it was changed. */
  readonly wrong?: readonly CheckId[];
}

/** A site of a rollout, and what the rollout does at this moment. */
export interface RolloutSiteOf {
  readonly row: RolloutSiteRecord;
  readonly state: RolloutState;
}

/** A site that waits for its turn. */
export type PlacedSite = Pick<RolloutSiteFacts, 'site' | 'wave' | 'reviewed'>;

/** What a write changes of rollouts. A row that is not as it was seen makes the write run again. */
export type RolloutChange =
  | {
      readonly kind: 'start';
      readonly rollout: RolloutRecord;
      readonly sites: readonly PlacedSite[];
      /** The unfinished ones of the organization on which it was decided; another one beside them makes the write run again. */
      readonly beside: readonly string[];
    }
  | { readonly kind: 'put'; readonly rollout: RolloutRecord; readonly seen: number }
  /** Only while the rollout is in the state that goes with it. */
  | { readonly kind: 'site'; readonly row: RolloutSiteRecord; readonly seen: RolloutSiteState; readonly during: RolloutState }
  /** Every site in one state gets another. `extending`: those alone that extend this profile at that moment. */
  | {
      readonly kind: 'sites';
      readonly org: string;
      readonly rollout: string;
      readonly from: RolloutSiteState;
      readonly to: RolloutSiteState;
      readonly extending?: string;
    }
  /** Those that could not be given back what they had are tried again. */
  | { readonly kind: 'unstick'; readonly org: string; readonly rollout: string };

export interface RolloutLease {
  readonly org: string;
  readonly id: string;
  readonly owner: string;
  readonly now: string;
  readonly until: string;
}

/** Which sites of a rollout; `state`: empty for all. */
export interface RolloutSitePage {
  readonly state: RolloutSiteState | '';
  readonly worse?: boolean | undefined;
  readonly stuck?: boolean | undefined;
  readonly after: string;
  readonly limit: number;
}

/** Rollouts as they are read, and who works on them. */
export interface RolloutStore {
  /** Newest first. */
  list(org: string): Promise<StoredRollout[]>;
  /** `wave`: of this one alone; 0: of all. */
  counts(org: string, id: string, wave: number): Promise<RolloutCounts>;
  /** In the order of their names. */
  sites(org: string, id: string, page: RolloutSitePage): Promise<RolloutSiteRecord[]>;
  /** In the order in which they are worked on: those in a state, up to a wave, and not stuck. */
  next(
    org: string,
    id: string,
    state: RolloutSiteState,
    page: { readonly wave: number; readonly limit: number },
  ): Promise<RolloutSiteRecord[]>;
  /** Those that wait, and of which nobody noted what is wrong. */
  unnoted(org: string, id: string, limit: number): Promise<RolloutSiteRecord[]>;
  /** Those that have the change and nobody looked at since. */
  unjudged(org: string, id: string, limit: number): Promise<RolloutSiteRecord[]>;
  /** Rollouts that are to be worked on and that nobody works on, whose turn is longest ago first. `leased`: leases until then are over. */
  open(leased: string, limit: number): Promise<{ readonly org: string; readonly id: string }[]>;
  /** Takes it for oneself, or keeps it; false where somebody else has it. */
  claim(lease: RolloutLease, leased: string): Promise<boolean>;
  /** Gives it back; its turn was at the beginning of the lease. */
  release(lease: Omit<RolloutLease, 'until'>): Promise<void>;
  /** Forgets all that ended but the newest. */
  forget(org: string, kept: number): Promise<void>;
}
