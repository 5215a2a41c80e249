import type { SealedValue } from '@repoless/contract/sealed-value.ts';

/** Where a value that the panel shows was read. */
export type Source =
  | { readonly kind: 'page'; readonly path: string }
  | { readonly kind: 'inherited'; readonly from: string }
  | { readonly kind: 'configuration'; readonly path: string }
  | { readonly kind: 'delivery'; readonly address: string }
  | { readonly kind: 'derived' }
  | { readonly kind: 'missing' };

export interface Setting {
  /** Absent where nothing is set. */
  readonly value?: string;
  readonly source: Source;
}

/** What the author set in the authoring system for a site root, each value with its source. */
export interface AuthoringSettings {
  /** Scheme and host of the author. */
  readonly author: string;
  /** The page whose properties are open, and the root of its site. */
  readonly page: string;
  readonly siteRoot: string;
  readonly title?: string;
  readonly projectType: Setting;
  readonly organization: Setting;
  readonly siteName: Setting;
  readonly configurationPage: Setting;
  readonly technicalAccount: Setting;
  /** `admin.role.publish` of the sheet at the delivery address, where that can be read. */
  readonly publishAccount?: string;
  /** The `/conf/…` path in force (`cq:conf`), own or inherited. */
  readonly cloudConfiguration: Setting;
  readonly deliveryAddress: Setting;
  /** The page is a live copy of this one, where it is one: a locale. */
  readonly liveCopyOf?: string;
  /** The `/conf/…` path in force holds no Edge Delivery configuration yet. */
  readonly configurationMissing?: boolean;
  /** Where the site root gets a configuration, while it has none in force of its own. */
  readonly newConfiguration?: NewConfiguration;
  /** Whether the configuration that an apply made is still what it made. */
  readonly createdConfiguration?: 'as-made' | 'changed';
  /** The previous values (see Previous), if there is such a record. */
  readonly previous?: Previous;
}

/** A `/conf/…` path at which a configuration is to be, or is already while the page does not select it. */
export interface NewConfiguration {
  readonly path: string;
  /** The page has to select it. */
  readonly selects: boolean;
  /** `taken`: another site uses it, whose organization and name are `names`. */
  readonly state: 'none' | 'there' | 'taken';
  readonly names?: string;
}

/** The previous values, stored with the Edge Delivery configuration so that they can be restored. */
export interface Previous {
  readonly at: string;
  readonly by: string;
  /** The properties of the Edge Delivery configuration; null means that the property was absent. */
  readonly projectType: string | null;
  readonly organization: string | null;
  readonly siteName: string | null;
  /** Version of the service's site before, null where there was no site. */
  readonly siteVersion: number | null;
  /** The service site that was changed. */
  readonly org: string;
  readonly site: string;
  /** The configuration page was made by the apply, and is removed with it. */
  readonly configurationPageCreated: boolean;
  /** Their paths: a later apply may have made another. Absent in records that say no more than that there is one. */
  readonly configurationPages?: readonly string[] | undefined;
  /** The page had no configuration: this one was made for it (`created`: with these properties of another), and selected by it. */
  readonly configuration?: ConfigurationRecord | undefined;
}

export interface ConfigurationRecord {
  readonly created?: Readonly<Record<string, string | number | boolean>> | undefined;
  readonly selected: boolean;
}

/** What the person at the panel may decide or correct before the plan is applied. */
export interface Choices {
  readonly organization: string;
  readonly siteName: string;
  /** Absolute content path of the configuration page. */
  readonly configurationPage: string;
  readonly code: CodeChoice;
  /** The one-time secret of an external repository, pasted; absent where there is none to be stored. */
  readonly secret?: SealedValue;
  readonly administrators: readonly string[];
  readonly technicalAccount: string;
  /** Further mappings and includes that an existing site has are kept; these are the site root's own. */
  readonly mappings: readonly string[];
  /** Absent: there is no list, and everything is included. */
  readonly includes?: readonly string[];
}

export type CodeChoice =
  | { readonly type: 'github'; readonly owner: string; readonly repo: string }
  | {
      readonly type: 'byogit';
      readonly owner: string;
      readonly repo: string;
      readonly url: string;
      readonly rawUrl: string;
      readonly holdsSecret: boolean;
    };
