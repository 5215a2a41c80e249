import { printDeliveryAddress } from '@repoless/contract/addresses.ts';
import type { SiteInput } from '@repoless/contract/site.ts';

/** The organization that all sites of the benchmarks belong to, and who administers it. */
export const ORG = 'bench';
export const ADMIN = 'admin@example.com';

/** Name of the n-th stored site; as long as one with a counter in it. */
export function siteName(n: number): string {
  return `site-${String(n).padStart(12, '0')}`;
}

/**
 * A site as a client puts it, 1–3 kB, with a public part of about 500 bytes. In: its name, and a text that makes this
 * revision another than the one before, its public part included; another repository than that of all.
 */
export function siteInput(site: string, revision: string, repo = 'boilerplate'): SiteInput {
  const content = `/content/markets/${site}`;
  return {
    version: 1,
    title: `Site ${site}`,
    description: `Revision ${revision}. ${'A site of one market, on the code that all markets share. '.repeat(12)}`,
    code: { owner: ORG, repo, source: { type: 'github', url: `https://github.com/${ORG}/${repo}` } },
    content: {
      title: `Content of ${site}`,
      source: {
        type: 'markup',
        url: printDeliveryAddress({ author: 'https://author-p1-e2.authoring.test', connector: 'franklin', org: ORG, site, ref: 'main' }),
        suffix: '.html',
      },
    },
    access: { admin: { role: { admin: [ADMIN], config_admin: ['p1-e2@techacct.example.com'] }, requireAuth: 'auto' } },
    headers: { '/**': [{ key: 'x-frame-options', value: 'SAMEORIGIN' }] },
    cdn: { prod: { type: 'managed', host: `${site}.example.com` } },
    public: {
      paths: {
        mappings: [
          `${content}/:/`,
          `${content}/configuration:/.helix/config.json`,
          `${content}/metadata:/metadata.json`,
          `${content}/redirects:/redirects.json`,
        ],
        includes: [`${content}/`],
      },
      revision,
    },
  };
}
