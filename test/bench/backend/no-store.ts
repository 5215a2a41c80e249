import type { Reads, StoredSite, Store } from '@repoless/service/domain/ports.ts';
import { PendingSites } from '@repoless/service/db/pending-sites.ts';
import { writesRecorder } from '@repoless/service/db/record-writes.ts';
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
  const recorded = writesRecorder(reads, new PendingSites());
  return {
    ...real,
    reads,
    write: (work) => work(Object.assign(recorded().writes, { putSite: nothing, addVersion: nothing, addAudit: nothing })),
  };
}

function nothing(): Promise<undefined> {
  return Promise.resolve(undefined);
}
