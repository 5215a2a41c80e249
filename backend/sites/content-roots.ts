import type { Store, Writes } from '../domain/ports.ts';

/** A content root, by its key (`contentRootKey`), and the site that claimed it. */
export interface ClaimedRoot {
  readonly org: string;
  readonly site: string;
  readonly contentRoot: string;
}

/** An authoring host, and the organization that the operator assigned it to. Other organizations cannot claim content roots on it. */
export interface AuthoringHost {
  readonly host: string;
  readonly org: string;
}

export interface ContentRootReads {
  siteWithContentRoot(contentRoot: string): Promise<{ org: string; site: string } | undefined>;
  /** Sorted by path. */
  contentRootsOn(host: string): Promise<ClaimedRoot[]>;
  /** The organization of an authoring host; undefined if the operator assigned none. */
  orgOfAuthoringHost(host: string): Promise<string | undefined>;
  /** Sorted by name. */
  authoringHosts(): Promise<AuthoringHost[]>;
}

export interface ContentRootWrites {
  /** Runs again if a site of another organization concurrently claims a root on the host, other than the `released` ones. */
  assignHost(host: AuthoringHost, released: readonly ClaimedRoot[]): Promise<void>;
  /** Claimed roots on it do not change. */
  releaseHost(host: string): Promise<void>;
  /** The site no longer claims it; nothing else about the site changes. */
  releaseContentRoot(root: ClaimedRoot): Promise<void>;
}

/** When, and in which run of a command, an action is taken: for the audit trails. */
interface OperatorCall {
  readonly time: Date;
  readonly requestId: string;
}

/**
 * Assigns an authoring host to an organization, whoever had it before, and releases the content roots that other organizations' sites
 * claimed on it. Returns these roots; undefined if there is no such organization.
 */
export function assignAuthoringHost(
  { write }: Pick<Store, 'write'>,
  { host, org }: AuthoringHost,
  call: OperatorCall,
): Promise<ClaimedRoot[] | undefined> {
  return write(async (writes) => {
    if ((await writes.org(org)) === undefined) return undefined;
    const lost = (await writes.contentRootsOn(host)).filter((held) => held.org !== org);
    await writes.assignHost({ host, org }, lost);
    for (const root of lost) await release(writes, root, call);
    return lost;
  });
}

/** Returns the organization that had the host; undefined if none had. */
export function releaseAuthoringHost({ write }: Pick<Store, 'write'>, host: string): Promise<string | undefined> {
  return write(async (writes) => {
    const org = await writes.orgOfAuthoringHost(host);
    if (org !== undefined) await writes.releaseHost(host);
    return org;
  });
}

/** Releases a content root from the site that claimed it. Returns that site; undefined if none claimed it. */
export function releaseContentRoot(
  { write }: Pick<Store, 'write'>,
  contentRoot: string,
  call: OperatorCall,
): Promise<ClaimedRoot | undefined> {
  return write(async (writes) => {
    const site = await writes.siteWithContentRoot(contentRoot);
    if (site === undefined) return undefined;
    const root = { ...site, contentRoot };
    await release(writes, root, call);
    return root;
  });
}

/** With its entry in the audit trail of the organization that loses it. */
async function release(writes: Writes, root: ClaimedRoot, { time, requestId }: OperatorCall): Promise<void> {
  const { org, site, contentRoot } = root;
  await writes.releaseContentRoot(root);
  await writes.addAudit({ org, site, time, user: OPERATOR, action: `release-content-root/${contentRoot}`, requestId });
}

/** The person is unknown: anyone with the settings of the service. */
const OPERATOR = 'operator';
