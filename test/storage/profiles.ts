import { AsyncResource } from 'node:async_hooks';
import type { Profile, Site } from '@repoless/contract/site.ts';
import { etagOf } from '@repoless/service/domain/documents.ts';
import type { Store, Writes } from '@repoless/service/domain/ports.ts';
import { siteIndexKeys } from '@repoless/service/sites/check-site.ts';
import { siteWrite } from '../support/builders.ts';
import type { AggregateWrite, SiteWrite, StoredProfile } from '@repoless/service/sites/ports.ts';

/** A profile as it is stored. */
export function profile(extra: Partial<Profile> = {}, version = 1, name = 'base'): StoredProfile {
  const config: Profile = {
    version: 1,
    name,
    created: '2026-01-01T00:00:00.000Z',
    lastModified: '2026-01-01T00:00:00.000Z',
    ...extra,
  };
  return { org: 'acme', profile: name, config, etag: etagOf(config), version };
}

/** The effective configuration of a site that has only a name and the profile. */
export function over({ config }: Pick<StoredProfile, 'config'>, site: Site): Site {
  return { ...config, ...site };
}

/** Changes a profile and the sites that extend it, as the operations do. `run` gets their number, on each attempt. */
export function changeProfile(store: Store, extra: Partial<Profile>, run?: Run, name = 'base'): Promise<void> {
  return store.write(async (writes) => {
    const subject = { kind: 'profile', org: 'acme', profile: name } as const;
    const current = await writes.profile('acme', name);
    const sites = await writes.sitesOfProfile('acme', name);
    await run?.(sites.length);
    const next = profile(extra, (current?.version ?? (await writes.latestVersion(subject))) + 1, name);
    await writes.putProfile(next);
    for (const site of sites) await writes.putAggregate(aggregateWrite(site.site, over(next, site.config)));
    await writes.addVersion({ subject, version: next.version, created: new Date(), data: next.config });
  });
}

/** Stores a site that extends the profile `base`, as the operations do. `run` gets the profile's version, on each attempt. */
export function extendProfile(store: Store, name: string, run?: Run, extra: Partial<Site> = {}): Promise<void> {
  return putOver(store, { name, profile: 'base', extra: { extends: { profile: 'base' }, ...extra } }, run);
}

/** The same for a site that extends the default profile implicitly. */
export function putPlain(store: Store, name: string, run?: Run): Promise<void> {
  return putOver(store, { name, profile: 'default', extra: {} }, run);
}

function putOver(store: Store, { name, profile: below, extra }: Over, run?: Run): Promise<void> {
  return store.write(async (writes) => {
    const current = await writes.site('acme', name);
    const base = await writes.profile('acme', below);
    await run?.(base?.version ?? 0);
    const version = (current?.version ?? 0) + 1;
    const write = siteWrite(name, extra, version);
    const { config } = write;
    const aggregate = base === undefined ? config : over(base, config);
    await putWithVersion(writes, {
      ...write,
      ...(base === undefined && below === 'default' ? {} : { aggregate }),
      ...siteIndexKeys(aggregate),
    });
  });
}

export function aggregateWrite(site: string, aggregate: Site): AggregateWrite {
  return { org: 'acme', site, aggregate, alone: false, ...siteIndexKeys(aggregate) };
}

async function putWithVersion(writes: Writes, site: SiteWrite): Promise<void> {
  const { org, version, config } = site;
  const time = new Date();
  await writes.putSite(site);
  await writes.addVersion({ subject: { kind: 'site', org, site: site.site }, version, created: time, data: config });
  await writes.addAudit({ org, site: site.site, time, user: 'ada@example.com', action: 'put-site', requestId: 'r', to: version });
}

export type Run = (seen: number) => Promise<void> | void;

interface Over {
  readonly name: string;
  readonly profile: string;
  readonly extra: Partial<Site>;
}

/** Starts other work between the reads and writes of the first attempt, and records what each attempt saw. */
export function concurrently(work: () => Promise<void>): { seen: number[]; run(seen: number): void; ended(): Promise<void> } {
  const seen: number[] = [];
  const outside = AsyncResource.bind(work);
  let started: Promise<void> | undefined;
  return {
    seen,
    run(found) {
      seen.push(found);
      started ??= outside();
    },
    async ended() {
      await started;
    },
  };
}
