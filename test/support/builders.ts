import type { Org } from '@repoless/contract/org.ts';
import type { Site, SiteInput } from '@repoless/contract/site.ts';
import { etagOf } from '@repoless/service/domain/documents.ts';
import type { StoredOrg } from '@repoless/service/domain/ports.ts';
import { siteIndexKeys } from '@repoless/service/sites/check-site.ts';
import type { User } from '@repoless/service/sessions/identity.ts';
import type { SiteWrite } from '@repoless/service/sites/ports.ts';

/** A signed-in caller. */
export function user(email: string, credential: User['credential'] = 'header'): User {
  return { kind: 'user', email, names: [email.toLowerCase()], tokenId: `token-of-${email}`, credential };
}

/** An organization as it is stored: `otto@example.com` is its admin. */
export function org(name = 'acme', extra: Partial<Org> = {}): StoredOrg {
  const config: Org = {
    version: 1,
    name,
    created: '2026-01-01T00:00:00.000Z',
    lastModified: '2026-01-01T00:00:00.000Z',
    users: [{ id: 'u1', email: 'otto@example.com', roles: ['admin'] }],
    ...extra,
  };
  return { org: name, config, etag: etagOf(config), version: 1 };
}

/** A site as a client sends it (call 1): code on the code host, content from the authoring system. */
export function siteInput(site = 'site', orgName = 'acme', extra: Partial<SiteInput> = {}): SiteInput {
  return {
    version: 1,
    code: { owner: orgName, repo: 'code' },
    content: {
      source: {
        type: 'markup',
        url: `https://author-p1-e2.example.com/bin/franklin.delivery/${orgName}/${site}/main`,
        suffix: '.html',
      },
    },
    ...extra,
  };
}

/** A path mapping as call 3 stores it. */
export function publicPaths(root: string): { paths: { mappings: string[]; includes: string[] } } {
  return { paths: { mappings: [`${root}/:/`, `${root}/configuration:/.helix/config.json`], includes: [`${root}/`] } };
}

/** The arguments with which a site is stored. */
export function siteWrite(site = 'site', extra: Partial<Site> = {}, version = 1, orgName = 'acme'): SiteWrite {
  const config: Site = {
    ...siteInput(site, orgName),
    version: 1,
    name: site,
    created: '2026-01-01T00:00:00.000Z',
    lastModified: '2026-01-01T00:00:00.000Z',
    ...extra,
  };
  return { org: orgName, site, config, etag: etagOf(config), version, ...siteIndexKeys(config) };
}
