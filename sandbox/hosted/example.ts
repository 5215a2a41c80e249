import type { Json } from './store.ts';

/** The initial organization, and its people. */
export const EXAMPLE = {
  org: 'wknd',
  admin: 'ada.admin@example.com',
  otherAdmin: 'otto.org@example.com',
  configAdmin: 'carl.config@example.com',
  publisher: 'pia.publish@example.com',
  /** Administers one site and has no role in the organization. */
  siteAdmin: 'nora.neighbour@example.com',
  ownSite: 'neighbours',
  stranger: 'sam.stranger@example.com',
} as const;

export interface HostedSeed {
  readonly organizations: Readonly<Record<string, Json>>;
  readonly sites: readonly { readonly org: string; readonly site: string; readonly body: Json }[];
}

export const EXAMPLE_SEED: HostedSeed = {
  organizations: {
    [EXAMPLE.org]: {
      title: 'Tarnfell',
      users: [
        user('ada', EXAMPLE.admin, 'admin'),
        user('otto', EXAMPLE.otherAdmin, 'admin'),
        user('carl', EXAMPLE.configAdmin, 'config_admin'),
        user('pia', EXAMPLE.publisher, 'publish'),
      ],
    },
  },
  sites: [
    {
      org: EXAMPLE.org,
      site: EXAMPLE.ownSite,
      body: { ...exampleSite(EXAMPLE.ownSite), access: { admin: { role: { admin: [EXAMPLE.siteAdmin] }, requireAuth: 'auto' } } },
    },
  ],
};

/** A site as set up by an author, without access. */
export function exampleSite(site: string): Json {
  const source = `https://author-p100-e200.example.com/bin/franklin.delivery/${EXAMPLE.org}/${site}/main`;
  return {
    version: 1,
    content: { source: { type: 'markup', url: source, suffix: '.html' } },
    code: { owner: EXAMPLE.org, repo: 'wknd', source: { type: 'github', url: 'https://github.com/wknd/wknd' } },
    public: { paths: { mappings: [`/content/${site}/:/`], includes: [`/content/${site}/`] } },
  };
}

function user(id: string, email: string, role: string): Json {
  return { id, email, roles: [role] };
}
