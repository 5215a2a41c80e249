import type { CheckedSite, OrgChecks, SiteCheck, SiteCheckInput } from '#contract/checked-site.ts';
import type { Known } from '../situation.ts';

/** What the service keeps of the checks of sites. Nothing throws: what went wrong is in the answer. */
export interface ChecksPort {
  /** How all sites of an organization stand, page by page. Missing: the service keeps no checks, or there is no such organization. */
  all(org: string): Promise<Known<KeptChecks>>;
  /** The service looks at all sites by itself, from now on. */
  start(org: string): Promise<Known<unknown>>;
  /** What was found at a site, with all that its sentences need. */
  site(org: string, site: string): Promise<Known<SiteCheck>>;
  /** Keeps what was found at a site by somebody who could read the authoring system. */
  keep(org: string, site: string, found: SiteCheckInput): Promise<Known<SiteCheck>>;
}

export interface KeptChecks extends Pick<OrgChecks, 'days' | 'running'> {
  readonly sites: readonly CheckedSite[];
}
