import { randomUUID } from 'node:crypto';
import { unescaped } from '@repoless/contract/addresses.ts';
import { releaseContentRoot } from '../sites/content-roots/release-content-roots.ts';
import type { Store } from '../domain/ports.ts';
import type { Settings } from '../config.ts';
import { hostIn, releasedLine } from './authoring-hosts.ts';
import { UsageError } from './usage-error.ts';
import { withStore } from './with-store.ts';

/**
 * `content-roots list <host>`: which sites hold the content roots on an authoring host. `content-roots release <host><path>`: takes one from its
 * site, which is still served. Works whether or not the service runs.
 */
export async function contentRoots([action, place, ...more]: readonly string[], settings: Settings): Promise<number> {
  if (place === undefined || more.length > 0 || (action !== 'list' && action !== 'release'))
    throw new UsageError('Choose one: content-roots list <host>, content-roots release <host><path>.');
  if (action === 'list') {
    const host = hostIn(place);
    return await withStore(settings, (store) => list(store, host));
  }
  const root = rootIn(place);
  return await withStore(settings, (store) => release(store, root));
}

/** In: `<host><path>`, as the list has it or as it is written in an address. */
function rootIn(place: string): string {
  const [, host = '', path = ''] = /^((?:https?:\/\/)?[^/]*)(\/.*)$/i.exec(place) ?? [];
  if (path === '')
    throw new UsageError(`"${place}" is not a content root. Use host and path, like author-p1-e2.adobeaemcloud.com/content/site.`);
  return `${hostIn(host)}${path.replace(/(?<=.)\/$/, '')}`;
}

async function list({ reads }: Store, host: string): Promise<number> {
  const [owner, roots] = await Promise.all([reads.orgOfAuthoringHost(host), reads.contentRootsOn(host)]);
  for (const { contentRoot, org, site } of roots) process.stdout.write(`${contentRoot} ${org}/${site}\n`);
  const whose = owner === undefined ? 'is not assigned' : `belongs to ${owner}`;
  process.stdout.write(`The authoring host ${host} ${whose}. Content roots in use on it: ${roots.length}.\n`);
  return 0;
}

async function release(store: Store, root: string): Promise<number> {
  const call = { time: new Date(), requestId: randomUUID() };
  const released = (await releaseContentRoot(store, root, call)) ?? (await releaseContentRoot(store, unescaped(root), call));
  if (released === undefined)
    throw new Error(`No site uses the content root ${root}. To see those in use, run "content-roots list <host>".`);
  process.stdout.write(releasedLine(released));
  return 0;
}
