import type { endpoints } from '#contract/endpoints.ts';
import type { VersionEntry } from '#contract/history.ts';
import type { VersionEntry as StoredVersionEntry } from '../ports.ts';
import { siteNotFound } from '../sites/find-site.ts';
import type { Verb } from '../verb.ts';

/** The versions of a site, newest first; of a removed site too. */
export const listVersions: Verb<(typeof endpoints)['listVersions']> = async (context, { params: { org, site } }) => {
  const [stored, versions] = await Promise.all([
    context.store.reads.site(org, site),
    context.store.reads.versions({ kind: 'site', org, site }),
  ]);
  if (versions.length === 0) throw siteNotFound({ org, site });
  return {
    status: 200,
    body: { ...(stored === undefined ? {} : { current: stored.version }), versions: versions.map(versionEntry) },
  };
};

/** A version as it is answered, without its data. */
export function versionEntry({ version, created, name, user }: StoredVersionEntry): VersionEntry {
  return {
    version,
    created: created.toISOString(),
    ...(name === undefined ? {} : { name }),
    ...(user === undefined ? {} : { user }),
  };
}
