import type { CheckedSite, OrgChecks, SiteCheck, SiteCheckInput } from '@repoless/contract/checked-site.ts';
import type { Known } from '../situation/situation.ts';

/** What the service keeps of the checks of sites. Nothing throws: what went wrong is in the answer. */
export interface ChecksPort {
  /** The states of all sites of an organization, page by page. Missing: the service stores no checks, or there is no such organization. */
  all(org: string): Promise<Known<StoredChecks>>;
  /** The service checks all sites itself, from now on. */
  start(org: string): Promise<Known<unknown>>;
  /** What was found at a site, with all that its sentences need. */
  site(org: string, site: string): Promise<Known<SiteCheck>>;
  /** Keeps what was found at a site by somebody who could read the authoring system. */
  keep(org: string, site: string, found: SiteCheckInput): Promise<Known<SiteCheck>>;
}

export interface StoredChecks extends Pick<OrgChecks, 'days' | 'running'> {
  readonly sites: readonly CheckedSite[];
}
