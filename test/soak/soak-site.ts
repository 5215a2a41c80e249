import type { SiteInput } from '@repoless/contract/site.ts';
import { ORG, siteInput } from '../bench/backend/site-input.ts';

/** A site of the benchmarks, with its code at the code host that runs here. */
export function soakSite(codeHost: string, site: string, revision: string): SiteInput {
  const code = { owner: ORG, repo: 'boilerplate', source: { type: 'github' as const, url: `${codeHost}/${ORG}/boilerplate` } };
  return { ...siteInput(site, revision), code };
}
