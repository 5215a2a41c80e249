import { randomUUID } from 'node:crypto';
import { parseAuthoringHost } from '@repoless/contract/addresses.ts';
import { assignAuthoringHost, releaseAuthoringHost } from '../sites/content-roots/release-content-roots.ts';
import type { ClaimedRoot } from '../sites/content-roots/ports.ts';
import type { Store } from '../domain/ports.ts';
import type { Settings } from '../config.ts';
import { UsageError } from './usage-error.ts';
import { withStore } from './with-store.ts';

/**
 * `authoring-hosts list`, `authoring-hosts assign <host> <organization>`, `authoring-hosts release <host>`: assigns an authoring host to an
 * organization, so that no other one can claim content roots on it. Roots that sites of other organizations hold there are released and listed.
 * Works whether or not the service runs.
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

/** A host, as content roots have it. */
export function hostIn(input: string): string {
  const host = parseAuthoringHost(input);
  if (host === undefined)
    throw new UsageError(`"${input}" is no host. Write it like author-p1-e2.adobeaemcloud.com, with a port where it has one.`);
  return host;
}

/** How a released root is reported. */
export function releasedLine({ contentRoot, org, site }: ClaimedRoot): string {
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
  process.stdout.write(`The authoring host ${host} belongs to ${org}. Content roots of others that were released: ${released.length}.\n`);
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
