import type { Store, Writes } from '../domain/ports.ts';

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

/** When, and in which run of a command, something is done: for the audit trails. */
interface OperatorCall {
  readonly time: Date;
  readonly requestId: string;
}

/**
 * Makes an authoring host an organization's, whoever had it before, and takes from the sites of all others the content roots that they hold on it.
 * Out: these roots; undefined where there is no such organization.
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

/** Out: the organization that had the host; undefined where none had. */
export function releaseAuthoringHost({ write }: Pick<Store, 'write'>, host: string): Promise<string | undefined> {
  return write(async (writes) => {
    const org = await writes.orgOfAuthoringHost(host);
    if (org !== undefined) await writes.releaseHost(host);
    return org;
  });
}

/** Takes a content root from the site that holds it. Out: that site; undefined where none holds it. */
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

/** With its entry in the trail of the organization that loses it. */
async function release(writes: Writes, root: ClaimedRoot, { time, requestId }: OperatorCall): Promise<void> {
  const { org, site, contentRoot } = root;
  await writes.releaseContentRoot(root);
  await writes.addAudit({ org, site, time, user: OPERATOR, action: `release-content-root/${contentRoot}`, requestId });
}

/** Who it was is not known: whoever has the settings of the service. */
const OPERATOR = 'operator';
