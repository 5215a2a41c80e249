import { parseAuthoringHost, unescaped } from '@repoless/contract/addresses.ts';
import { randomUUID } from 'node:crypto';
import type { Settings } from '../config.ts';
import type { Store, Writes } from '../domain/ports.ts';
import { UsageError, withStore } from './database-state.ts';
import type { AuthoringHost, ClaimedRoot } from '../sites/ports.ts';

/**
 * `authoring-hosts list`, `authoring-hosts assign <host> <organization>`, `authoring-hosts release <host>`: assigns an authoring host to an
 * organization, so that no other one can claim content roots on it. Roots that sites of other organizations claimed there are released and
 * listed. Works whether or not the service runs.
 */
export async function authoringHosts([action, host, org, ...more]: readonly string[], settings: Settings): Promise<number> {
  if (action === 'list' && host === undefined) return await withStore(settings, list);
  if (action === 'assign' && host !== undefined && org !== undefined && more.length === 0) {
    const assigned = { host: hostIn(host), org };
    return await withStore(settings, (store) => assign(store, assigned));
  }
  if (action === 'release' && host !== undefined && org === undefined) {
    const named = hostIn(host);
    return await withStore(settings, (store) => release(store, named));
  }
  throw new UsageError('Choose one: authoring-hosts list, authoring-hosts assign <host> <organization>, authoring-hosts release <host>.');
}

/** A host in the form of content roots. */
function hostIn(input: string): string {
  const host = parseAuthoringHost(input);
  if (host === undefined)
    throw new UsageError(`"${input}" is not a host. Use a form like author-p1-e2.adobeaemcloud.com, with a port if it has one.`);
  return host;
}

function releasedLine({ contentRoot, org, site }: ClaimedRoot): string {
  return `${contentRoot}: released from ${org}/${site}, which is served as before.\n`;
}

async function list({ reads }: Store): Promise<number> {
  const hosts = await reads.authoringHosts();
  for (const { host, org } of hosts) process.stdout.write(`${host} ${org}\n`);
  process.stdout.write(`Assigned authoring hosts: ${hosts.length}.\n`);
  return 0;
}

async function assign(store: Store, { host, org }: { readonly host: string; readonly org: string }): Promise<number> {
  const released = await assignAuthoringHost(store, { host, org }, { time: new Date(), requestId: randomUUID() });
  if (released === undefined) throw new Error(`The organization "${org}" does not exist.`);
  for (const root of released) process.stdout.write(releasedLine(root));
  process.stdout.write(
    `The authoring host ${host} belongs to ${org}. Content roots released from other organizations: ${released.length}.\n`,
  );
  return 0;
}

async function release(store: Store, host: string): Promise<number> {
  const org = await releaseAuthoringHost(store, host);
  if (org === undefined) throw new Error(`The authoring host ${host} is not assigned. To see those that are, run "authoring-hosts list".`);
  process.stdout.write(
    `The authoring host ${host} no longer belongs to ${org}. The content roots on it stay with the sites that have them.\n`,
  );
  return 0;
}

/**
 * `content-roots list <host>`: the sites that claimed content roots on an authoring host. `content-roots release <host><path>`: releases
 * one from its site, which is still served. Works whether or not the service runs.
 */
export async function contentRoots([action, argument, ...more]: readonly string[], settings: Settings): Promise<number> {
  if (argument === undefined || more.length > 0 || (action !== 'list' && action !== 'release'))
    throw new UsageError('Choose one: content-roots list <host>, content-roots release <host><path>.');
  if (action === 'list') {
    const host = hostIn(argument);
    return await withStore(settings, (store) => listRoots(store, host));
  }
  const root = rootIn(argument);
  return await withStore(settings, (store) => releaseRoot(store, root));
}

/** Takes `<host><path>`, as listed or as written in an address. */
function rootIn(input: string): string {
  const [, host = '', path = ''] = /^((?:https?:\/\/)?[^/]*)(\/.*)$/i.exec(input) ?? [];
  if (path === '')
    throw new UsageError(`"${input}" is not a content root. Use host and path, like author-p1-e2.adobeaemcloud.com/content/site.`);
  return `${hostIn(host)}${path.replace(/(?<=.)\/$/, '')}`;
}

async function listRoots({ reads }: Store, host: string): Promise<number> {
  const [owner, roots] = await Promise.all([reads.orgOfAuthoringHost(host), reads.contentRootsOn(host)]);
  for (const { contentRoot, org, site } of roots) process.stdout.write(`${contentRoot} ${org}/${site}\n`);
  const assignment = owner === undefined ? 'is not assigned' : `belongs to ${owner}`;
  process.stdout.write(`The authoring host ${host} ${assignment}. Content roots in use on it: ${roots.length}.\n`);
  return 0;
}

async function releaseRoot(store: Store, root: string): Promise<number> {
  const call = { time: new Date(), requestId: randomUUID() };
  const released = (await releaseContentRoot(store, root, call)) ?? (await releaseContentRoot(store, unescaped(root), call));
  if (released === undefined)
    throw new Error(`No site uses the content root ${root}. To see those in use, run "content-roots list <host>".`);
  process.stdout.write(releasedLine(released));
  return 0;
}

/** The time of an action and the run of the command that took it, for the audit trails. */
interface OperatorCall {
  readonly time: Date;
  readonly requestId: string;
}

/**
 * Assigns an authoring host to an organization instead of any previous one, and releases the content roots that sites of other
 * organizations claimed on it. Returns these roots; undefined if there is no such organization.
 */
export function assignAuthoringHost(
  { write }: Pick<Store, 'write'>,
  { host, org }: AuthoringHost,
  call: OperatorCall,
): Promise<ClaimedRoot[] | undefined> {
  return write(async (writes) => {
    if ((await writes.org(org)) === undefined) return undefined;
    const displaced = (await writes.contentRootsOn(host)).filter((root) => root.org !== org);
    await writes.assignHost({ host, org }, displaced);
    for (const root of displaced) await releaseClaimed(writes, root, call);
    return displaced;
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
    await releaseClaimed(writes, root, call);
    return root;
  });
}

/** With its entry in the audit trail of the organization that loses it. */
async function releaseClaimed(writes: Writes, root: ClaimedRoot, { time, requestId }: OperatorCall): Promise<void> {
  const { org, site, contentRoot } = root;
  await writes.releaseContentRoot(root);
  await writes.addAudit({ org, site, time, user: OPERATOR, action: `release-content-root/${contentRoot}`, requestId });
}

/** The commands know no person: anyone who has the settings of the service can run them. */
const OPERATOR = 'operator';
