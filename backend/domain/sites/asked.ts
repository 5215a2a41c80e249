import type { SiteChange } from './change-site.ts';

interface Asked {
  readonly params: { readonly org: string; readonly site: string };
  readonly query: SiteChange['query'];
  readonly ifMatch?: string;
  readonly ifNoneMatch?: string;
}

/** What every change of a site takes over from its call. */
export function asked(input: Asked): Pick<SiteChange, 'name' | 'query' | 'ifMatch' | 'ifNoneMatch'> {
  const { params, query, ifMatch, ifNoneMatch } = input;
  return {
    name: { org: params.org, site: params.site },
    query,
    ...(ifMatch === undefined ? {} : { ifMatch }),
    ...(ifNoneMatch === undefined ? {} : { ifNoneMatch }),
  };
}
