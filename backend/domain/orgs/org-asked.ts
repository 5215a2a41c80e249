import type { OrgChange } from './change-org.ts';

interface Asked {
  readonly params: { readonly org: string };
  readonly query: OrgChange['query'];
  readonly ifMatch?: string;
  readonly ifNoneMatch?: string;
}

/** What every change of an organization takes over from its call. */
export function orgAsked({ params, query, ifMatch, ifNoneMatch }: Asked): Pick<OrgChange, 'org' | 'query' | 'ifMatch' | 'ifNoneMatch'> {
  return {
    org: params.org,
    query,
    ...(ifMatch === undefined ? {} : { ifMatch }),
    ...(ifNoneMatch === undefined ? {} : { ifNoneMatch }),
  };
}
