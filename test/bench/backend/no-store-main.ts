import { startBackend } from '@repoless/service/app.ts';
import { readSettings } from '@repoless/service/config.ts';
import { openStore } from '@repoless/service/db/open-store.ts';
import type { Reads, Store, Writes } from '@repoless/service/domain/ports.ts';
import { once } from 'node:events';
import { benchOrg, firstWrite } from './start-backend.ts';
import type { StoredSite } from '@repoless/service/sites/ports.ts';

/**
 * A store that drops writes: the benchmarks compare with it to see what storing costs. It knows the organization, and the initial
 * state of the sites that the benchmarks replace. Everything else goes to the real store.
 */
function withoutStoring(real: Store, now: Date): Store {
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
  // Safe: the benchmarks only replace and create sites.
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

/** The complete backend except its store, for the benchmark of writes. Ends on SIGTERM as the real one does. */
const shutDown = Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')]);
const settings = readSettings(process.env);
const backend = await startBackend(settings, { store: withoutStoring(await openStore({ dataDir: settings.DATA_DIR }), new Date()) });
await shutDown;
await backend.stop();
