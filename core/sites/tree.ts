import type { SiteListEntry } from '@repoless/contract/site.ts';
import type { EdgeConfiguration } from '@repoless/contract/authoring.ts';
import type { ServiceInfo } from '@repoless/contract/service.ts';
import type { Setting } from '../situation/settings.ts';
import type { SiteState } from '@repoless/contract/site-check.ts';
import type { ContentPage } from './content-page.ts';
import type { SiteKind } from './organization-sites.ts';

/** Where a page stands in a multi-site tree: the base site's root, a country, a locale, or a page of one of them. */
export type Level = 'root' | 'country' | 'locale' | 'page';

/** What a page is with regard to the service's sites. `site` names the service site. */
export type NodeState =
  /** The page has a site. */
  | { readonly kind: 'site'; readonly site: string; readonly state: SiteState; readonly drifts: readonly NodeDrift[] }
  /** The authoring system was switched to a site that the service does not have. */
  | { readonly kind: 'promised'; readonly promised: string; readonly state: 'faulty' }
  /** It belongs to the site of a page above. */
  | { readonly kind: 'covered'; readonly by: string }
  /** It could be a site; until then the site of a page above takes it along, where there is one. */
  | { readonly kind: 'not-yet'; readonly by?: string; readonly state: 'not-set-up' }
  /** The service's sites could not be read. */
  | { readonly kind: 'unknown'; readonly state: 'unknown' };

export interface NodeDrift {
  readonly field: 'organization' | 'siteName' | 'projectType' | 'cloudConfiguration' | 'siteRoot' | 'deliveryAddress';
  /** What the authoring system says, and what would fit the service; empty where there is nothing. */
  readonly authoring: string;
  readonly service: string;
}

/** A page of the content tree as the tree shows it. */
export interface TreeNode {
  readonly path: string;
  readonly title: string;
  readonly level: Level;
  readonly hasChildren: boolean;
  readonly language?: string;
  readonly liveCopyOf?: string;
  /** The `/conf/…` path in force: own (`page`) or inherited, from which page. */
  readonly cloudConfiguration: Setting;
  readonly state: NodeState;
  /** The service site with this content root. */
  readonly site?: SiteListEntry;
  /** What that site is among the others. */
  readonly kind?: SiteKind;
}

/** What the states of nodes are made from, read once for the whole tree. */
export interface TreeContext {
  /** Scheme and host of the author. */
  readonly author: string;
  readonly organization: string;
  readonly info: Pick<ServiceInfo, 'repolessProjectType'>;
  /** Undefined where the list could not be read. */
  readonly sites: readonly SiteListEntry[] | undefined;
}

/** A level of the tree as it was read: the pages below one path, and the configurations that they name themselves. */
export interface ReadLevel {
  readonly pages: readonly ContentPage[];
  /** By `/conf` path; absent where there is no Edge Delivery configuration at that very path. */
  readonly configurations: ReadonlyMap<string, EdgeConfiguration>;
  /** Those of them that could not be read: whether there is one is not known. */
  readonly unread?: ReadonlySet<string>;
}
