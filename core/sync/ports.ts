import type {
  BranchList,
  Delivery,
  DeliveryList,
  ExternalRepository,
  ExternalRepositoryList,
  LinkOutcome,
  OnboardInput,
  OneClickInput,
  OneClickOutcome,
  WebhookCredentials,
} from '@repoless/contract/build-management.ts';
import type { CodeCheck } from '@repoless/contract/code-check.ts';
import type { CodeStatus, JobDetails, JobStatus, SyncStarted } from '@repoless/contract/job.ts';
import type { SecretInfo, SecretList } from '@repoless/contract/secret.ts';
import type { ServedCommit } from '@repoless/contract/served-code.ts';
import type { Known } from '../situation/situation.ts';
import type { RepositoryGroup } from './repository-groups.ts';

/** A branch as one of its sites sees it; every site of the repository sees the same job. */
export interface BranchPlace {
  readonly org: string;
  readonly site: string;
  /** The branch as addresses write it. */
  readonly ref: string;
}

/** What became of the job of a branch; `live`: the next change comes by itself and at once. */
export interface JobUpdate {
  readonly status: Known<JobStatus>;
  readonly live: boolean;
  /** It is not followed any more: what failed is nothing that waiting mends. */
  readonly isOver: boolean;
}

/** The secret of an external repository; `expires` is an ISO time, where its end is known. */
export interface RepositorySecret {
  readonly value: string;
  readonly expires?: string | undefined;
}

/** Code sync and the secrets that it needs. Nothing throws: what went wrong is in the answer. */
export interface SyncPort {
  /** The repository of a site and the branches that were synchronised. */
  code(org: string, site: string): Promise<Known<CodeStatus>>;
  status(place: BranchPlace): Promise<Known<JobStatus>>;
  details(place: BranchPlace, job: string): Promise<Known<JobDetails>>;
  /** What the code source itself answers of a branch, by the name that the repository gives it. */
  look(place: BranchPlace, code: Pick<RepositoryGroup, 'type' | 'owner' | 'repo'>, branch: string): Promise<Known<CodeCheck>>;
  /** `branch` is the name that the repository gives it. */
  start(place: BranchPlace, branch: string): Promise<Known<SyncStarted>>;
  /** Serves this commit until further notice; null: the one that was synchronised last, and those of later syncs. */
  serve(place: BranchPlace, sha: string | null): Promise<Known<ServedCommit>>;
  stop(place: BranchPlace, job: string): Promise<Known<unknown>>;
  /** Tells of the job now and at each change, until the function that it answers is called. */
  watch(place: BranchPlace, tell: (news: JobUpdate) => void): () => void;
  secrets(org: string, site: string): Promise<Known<SecretList>>;
  setSecret(org: string, site: string, secret: RepositorySecret): Promise<Known<SecretInfo>>;
}

/** Build management: the external repositories of an organization, each by its number. Nothing throws. */
export interface BuildManagementPort {
  repositories(org: string): Promise<Known<ExternalRepositoryList>>;
  repository(org: string, repository: string): Promise<Known<ExternalRepository>>;
  onboard(org: string, input: OnboardInput): Promise<Known<ExternalRepository>>;
  /** Creates a site of the repository in one click. */
  createSite(org: string, repository: string, input: OneClickInput): Promise<Known<OneClickOutcome>>;
  /** Checks a repository again, with another access token where one is given. */
  retry(org: string, repository: string, accessToken?: string): Promise<Known<ExternalRepository>>;
  /** Every secret before is revoked; the new one is in the answer alone. */
  link(org: string, repository: string, site: string): Promise<Known<LinkOutcome>>;
  rotateWebhook(org: string, repository: string): Promise<Known<WebhookCredentials>>;
  branches(org: string, repository: string): Promise<Known<BranchList>>;
  deliveries(org: string, repository: string): Promise<Known<DeliveryList>>;
  resend(org: string, repository: string, delivery: string): Promise<Known<Delivery>>;
}
