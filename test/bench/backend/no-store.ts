import type { Reads, StoredSite, Store, Writes } from '@repoless/service/domain/ports.ts';
import { benchOrg } from './bench-org.ts';
import { firstWrite } from './stored-site.ts';

/**
 * A store that does everything but store: what the benchmarks compare writes with, to see what storing costs. It knows the
 * organization, and the sites that the benchmarks replace, each as it was at first; what is written of a site it forgets.
 * For all else there is the real one.
 */
export function withoutStoring(real: Store, now: Date): Store {
  const org = benchOrg(now);
  const sites = new Map<string, StoredSite>();
  const known = (name: string) => {
    if (name.startsWith('new-')) return undefined;
    const { site: first } = firstWrite(name, now);
    const site = sites.get(name) ?? { ...first, aggregate: first.config };
    sites.set(name, site);
    return site;
  };
  const reads: Reads = {
    ...real.reads,
    org: () => Promise.resolve(org),
    site: (_, name) => Promise.resolve(known(name)),
    orgAndSite: (_, name) => Promise.resolve({ org, site: known(name) }),
    siteWithContentRoot: nothing,
    latestVersion: () => Promise.resolve(0),
  };
  // Safe: the benchmarks replace and make sites, and store nothing else.
  const writes = Object.assign(Object.create(reads), { putSite: nothing, addVersion: nothing, addAudit: nothing }) as Writes;
  return {
    ...real,
    reads,
    write: (work) => work(writes),
  };
}

function nothing(): Promise<undefined> {
  return Promise.resolve(undefined);
}
