import type { OrgInput } from '@repoless/contract/org.ts';
import type { SiteInput } from '@repoless/contract/site.ts';
import type { Addresses } from '../addresses.ts';
import { ENVIRONMENTS } from '../authoring-system/content-store.ts';
import { baseRoots, ORGANIZATION, productionRoots, type SeededService, type SiteRoot, type Trouble } from './base-roots.ts';
import { fleetRoots } from './fleet-roots.ts';

/** A site that the sandbox registers with the service at its first start, like an administrator. */
export interface SeededSite {
  readonly org: string;
  readonly site: string;
  /** Body of `PUT /config/{org}/sites/{site}.json`. */
  readonly body: SiteInput;
  /** The site root in the authoring system. */
  readonly page: string;
  readonly trouble?: Trouble;
}

export type SeedAddresses = Pick<Addresses, 'author' | 'secondAuthor' | 'codeHost'>;

/** The organization that is claimed at the first start, and its body. */
export const seededOrganization: { readonly org: string; readonly body: OrgInput } = {
  org: ORGANIZATION,
  body: {
    title: 'Tarnfell',
    description: 'The organization of the sandbox.',
    users: [
      { email: 'ada.admin@example.com', roles: ['admin'] },
      { email: 'otto.org@example.com', roles: ['admin'] },
    ],
  },
};

/** The service's sites of both environments, and the additional ones; the others are left for their authors to set up. */
export function seedSites(addresses: SeedAddresses, fleet = 0): SeededSite[] {
  return [
    ...registered([...baseRoots, ...fleetRoots(fleet)], {
      author: addresses.author,
      codeHost: addresses.codeHost,
      accounts: technicalAccounts(0, 1),
    }),
    ...registered(productionRoots, { author: addresses.secondAuthor, codeHost: addresses.codeHost, accounts: technicalAccounts(1, 0) }),
  ];
}

/** The deliberate problems, by page of the base environment. */
export function seededTroubles(): { readonly page: string; readonly trouble: Trouble }[] {
  return baseRoots.flatMap(({ path, trouble }) => (trouble === undefined ? [] : [{ page: path, trouble }]));
}

interface SeedContext {
  readonly author: string;
  readonly codeHost: string;
  readonly accounts: { readonly own: string; readonly other: string };
}

function registered(roots: readonly SiteRoot[], context: SeedContext): SeededSite[] {
  return roots.flatMap((root) => (root.service === undefined ? [] : [seededSite(root, root.service, context)]));
}

function seededSite(root: SiteRoot, service: SeededService, { author, codeHost, accounts }: SeedContext): SeededSite {
  const repo = service.repository ?? ORGANIZATION;
  return {
    org: ORGANIZATION,
    site: service.site,
    page: root.path,
    ...(root.trouble === undefined ? {} : { trouble: root.trouble }),
    body: {
      version: 1,
      code: { owner: ORGANIZATION, repo, source: { type: 'github', url: `${codeHost}/${ORGANIZATION}/${repo}` } },
      content: {
        source: { url: `${author}/bin/franklin.delivery/${ORGANIZATION}/${service.site}/main`, type: 'markup', suffix: '.html' },
      },
      access: {
        admin: {
          role: {
            admin: [...(service.administrators ?? ['ada.admin@example.com'])],
            config_admin: ['carl.config@example.com', ...technicalAccountsOf(service, accounts)],
          },
          requireAuth: 'auto',
        },
      },
      public: {
        paths: {
          mappings: [...(service.mappings ?? [`${root.path}/:/`, `${root.path}/configuration:/.helix/config.json`])],
          includes: [`${root.path}/`],
        },
      },
    },
  };
}

function technicalAccountsOf(service: SeededService, accounts: SeedContext['accounts']): string[] {
  switch (service.technicalAccount) {
    case 'none':
      return [];
    case "the other environment's":
      return [accounts.other];
    case 'own':
    case undefined:
      return [accounts.own];
    default:
      return service.technicalAccount satisfies never;
  }
}

function technicalAccounts(own: number, other: number): SeedContext['accounts'] {
  return { own: ENVIRONMENTS[own]?.technicalAccount ?? '', other: ENVIRONMENTS[other]?.technicalAccount ?? '' };
}
