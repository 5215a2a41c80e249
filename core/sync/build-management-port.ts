import type { BranchList, Delivery, DeliveryList } from '@repoless/contract/build-management-deliveries.ts';
import type {
  ExternalRepository,
  ExternalRepositoryList,
  LinkOutcome,
  OnboardInput,
  OneClickInput,
  OneClickOutcome,
  WebhookCredentials,
} from '@repoless/contract/build-management.ts';
import type { Known } from '../situation/situation.ts';

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
