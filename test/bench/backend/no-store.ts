import type { Reads, StoredOrg, StoredSite, Store, Writes } from '#backend/domain/ports.ts';
import { firstWrite } from './stored-site.ts';
import { benchOrg } from './bench-org.ts';
import { siteName } from './site-input.ts';

/**
 * A store that does everything but store: what the benchmarks compare writes with, to see what storing costs. It knows the
 * organization, and the sites that the benchmarks replace, each as it was at first; what is written it forgets.
 */
export function createNoStore(now: Date): Store {
  const org = benchOrg(now);
  const sites = new Map<string, StoredSite>();
  const reads = forgetfulReads(org, (site) => {
    if (site.startsWith('new-')) return undefined;
    const known = sites.get(site) ?? firstWrite(site, now).site;
    sites.set(site, known);
    return known;
  });
  const writes: Writes = { ...reads, putOrg: nothing, putSite: nothing, deleteSite: nothing, addVersion: nothing, addAudit: nothing };
  return {
    reads,
    shortLived: { put: nothing, get: nothing, take: nothing },
    write: (work) => work(writes),
    onSiteChange: () => () => undefined,
    onChangesMissed: () => () => undefined,
    ping: nothing,
    close: nothing,
  };
}

function forgetfulReads(org: StoredOrg, site: (site: string) => StoredSite | undefined): Reads {
  return {
    org: () => Promise.resolve(org),
    site: (_, name) => Promise.resolve(site(name)),
    orgAndSite: (_, name) => Promise.resolve({ org, site: site(name) }),
    listSites: () => Promise.resolve([]),
    listSiteNames: () => Promise.resolve([siteName(0)]),
    siteWithContentRoot: nothing,
    secretHolder: nothing,
    versions: () => Promise.resolve([]),
    version: nothing,
    latestVersion: () => Promise.resolve(0),
    publicConfig: () => Promise.resolve({ json: '{}', etag: '"none"' }),
    robots: nothing,
  };
}

function nothing(): Promise<undefined> {
  return Promise.resolve(undefined);
}
