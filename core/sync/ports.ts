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
import type { Known } from '../situation/call.ts';
import type { Repository } from '../situation/code-choice.ts';

/** A branch as addressed by one of its sites; every site of the repository sees the same job. */
export interface SiteRef {
  readonly org: string;
  readonly site: string;
  /** The branch as written in addresses. */
  readonly ref: string;
}

/** The current job of a branch; `live`: the next change arrives immediately. */
export interface JobUpdate {
  readonly status: Known<JobStatus>;
  readonly live: boolean;
  /** It is no longer followed, because waiting cannot fix the failure. */
  readonly hasEnded: boolean;
}

/** The secret of an external repository; `expires` is an ISO time, if known. */
export interface RepositorySecret {
  readonly value: string;
  readonly expires?: string | undefined;
}

/** Code sync and the secrets that it needs. Nothing throws: failures are in the answer. */
export interface SyncPort {
  /** The repository of a site and its synchronized branches. */
  code(org: string, site: string): Promise<Known<CodeStatus>>;
  status(siteRef: SiteRef): Promise<Known<JobStatus>>;
  details(siteRef: SiteRef, job: string): Promise<Known<JobDetails>>;
  /** The code source's own answer about a branch, by its name in the repository. */
  probe(siteRef: SiteRef, code: Repository, branch: string): Promise<Known<CodeCheck>>;
  /** `branch` is its name in the repository. */
  start(siteRef: SiteRef, branch: string): Promise<Known<SyncStarted>>;
  /** Serves this commit until further notice; null: the last synchronized one, and those of later syncs. */
  serve(siteRef: SiteRef, sha: string | null): Promise<Known<ServedCommit>>;
  stop(siteRef: SiteRef, job: string): Promise<Known<unknown>>;
  /** Reports the job now and at each change, until the returned function is called. */
  watch(siteRef: SiteRef, onUpdate: (update: JobUpdate) => void): () => void;
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
  /** Checks a repository again, with another access token if given. */
  retry(org: string, repository: string, accessToken?: string): Promise<Known<ExternalRepository>>;
  /** Revokes every earlier secret; the new one is only in this answer. */
  link(org: string, repository: string, site: string): Promise<Known<LinkOutcome>>;
  rotateWebhook(org: string, repository: string): Promise<Known<WebhookCredentials>>;
  branches(org: string, repository: string): Promise<Known<BranchList>>;
  deliveries(org: string, repository: string): Promise<Known<DeliveryList>>;
  resend(org: string, repository: string, delivery: string): Promise<Known<Delivery>>;
}
