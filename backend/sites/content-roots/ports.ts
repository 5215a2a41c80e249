/** A content root, by its key (`contentRootKey`), and the site that holds it. */
export interface ClaimedRoot {
  readonly org: string;
  readonly site: string;
  readonly contentRoot: string;
}

/** An authoring host, and the organization whose it is, as the operator said. Other organizations claim no content root on it. */
export interface AuthoringHost {
  readonly host: string;
  readonly org: string;
}

export interface ContentRootReads {
  siteWithContentRoot(contentRoot: string): Promise<{ org: string; site: string } | undefined>;
  /** In the order of their paths. */
  contentRootsOn(host: string): Promise<ClaimedRoot[]>;
  /** The organization that has an authoring host; undefined where the operator named none. */
  orgOfAuthoringHost(host: string): Promise<string | undefined>;
  /** In the order of their names. */
  authoringHosts(): Promise<AuthoringHost[]>;
}

export interface ContentRootWrites {
  /** Runs again where a site of another organization comes to hold a root on the host at the same moment, beside those that are `released`. */
  assignHost(host: AuthoringHost, released: readonly ClaimedRoot[]): Promise<void>;
  /** Roots on it stay whose they are. */
  releaseHost(host: string): Promise<void>;
  /** The site holds it no longer; nothing else of it changes. */
  releaseContentRoot(root: ClaimedRoot): Promise<void>;
}
