import { printDeliveryAddress } from '@repoless/contract/addresses.ts';
import type { EdgeConfiguration } from '@repoless/contract/authoring.ts';
import { Site, SiteInput, type SiteListEntry } from '@repoless/contract/site.ts';
import type { ContentPage, NodeLock, SetupPorts } from '@repoless/core/situation/ports.ts';
import type { Call, Failure, Known } from '@repoless/core/situation/call.ts';
import { CALLER, AUTHOR, createWorld, SPREADSHEET, SYNCED, TRIED } from './world.ts';

/** A content tree and an organization's sites in memory, which store writes. */
export interface SitesWorld {
  readonly pages: Map<string, ContentPage>;
  readonly configurations: Map<string, EdgeConfiguration>;
  readonly sites: Map<string, Site>;
  /** Nodes locked by someone, by path. */
  readonly locks: Map<string, NodeLock>;
  /** Pages that the caller may not change. */
  readonly forbidden: Set<string>;
  /** The failure of a call; reads are named by their path. */
  refuse: (path: string) => Failure | undefined;
  /** Pages that someone has written to. */
  readonly filled: Set<string>;
  /** Each write waits for this. */
  gate: Promise<void>;
  organization: string | undefined;
  readonly ports: SetupPorts;
}

export const ACCOUNT = 'p100-e200@techacct.example.com';
const FREE: NodeLock = { isDeep: false };
const TIME = '2026-03-04T05:06:07.000Z';

export function createSitesWorld(): SitesWorld {
  const { ports } = createWorld();
  const world: SitesWorld = {
    pages: new Map(),
    configurations: new Map([['/conf/wknd', { owner: 'wknd', repo: 'wknd', projectType: '4' }]]),
    sites: new Map([['wknd', siteOf('wknd', '/content/wknd')]]),
    locks: new Map(),
    forbidden: new Set(),
    refuse: () => undefined,
    filled: new Set(),
    gate: Promise.resolve(),
    organization: 'wknd',
    ports: {
      ...ports,
      service: {
        ...ports.service,
        allSites: async () => answer(`/sites`, () => known([...world.sites.values()].map(entryOf))),
        siteConfigurations: async (_org, name) =>
          answer(`/sites/${name}`, () => optional(world.sites.get(name), (config) => ({ config, own: config, etag: '"1"' }))),
        effective: async (_org, name) => answer(`/sites/${name}`, () => optional(world.sites.get(name), (config) => config)),
        configuration: async (_org, name) =>
          answer(`/sites/${name}`, () => optional(world.sites.get(name), (config) => ({ config, etag: '"1"' }))),
        versions: async (_org, name) =>
          known(world.sites.has(name) ? { current: 1, versions: [] } : { versions: [{ version: 1, created: TIME }] }),
        version: async (_org, name) => optional(removed.get(name), (site) => site),
        dryRun: async ({ address }) => answer(address, () => known(TRIED)),
        // The repository of the base site was synced long before.
        codeSync: async () => ({ state: 'known', value: { topic: 'code', links: { self: '' }, ...SYNCED } }),
        send: (call) => write(call, () => writeSite(call)),
      },
      authoring: {
        ...ports.authoring,
        settings: async (page, info) => {
          const settings = await ports.authoring.settings(page, info);
          if (settings.state !== 'known') return settings;
          const value = world.organization;
          return answer(page, () =>
            known({
              ...settings.value,
              organization: { source: { kind: 'missing' }, ...(value === undefined ? {} : { value }) },
              siteName: { value: 'wknd', source: { kind: 'missing' } },
            }),
          );
        },
        page: async (path) => optional(world.pages.get(path), () => ({ path, resourceType: SPREADSHEET })),
        createdPage: async (path) =>
          optional(world.pages.get(path), () => ({ path, resourceType: SPREADSHEET, isFilled: world.filled.has(path), createdBy: CALLER })),
        children: async (path) =>
          answer(path, () => known([...world.pages.values()].filter((page) => page.path.slice(0, page.path.lastIndexOf('/')) === path))),
        content: async (path) => answer(path, () => optional(world.pages.get(path), (page) => page)),
        edgeConfiguration: async (conf) => optional(world.configurations.get(conf), (edge) => edge),
        lock: async (path) => optional(world.pages.get(path.replace('/jcr:content', '')), () => world.locks.get(path) ?? FREE),
        mayWrite: async (path) => known(!world.forbidden.has(path.replace('/jcr:content', ''))),
        readyToWrite: async () => known('token'),
        send: (call) => write(call, () => writeAuthoring(call)),
        holds: async () => ({ state: 'known', value: true }),
      },
      hosts: {
        ...ports.hosts,
        config: async (address) => {
          const name = /main--(.+)--wknd/.exec(address)?.[1] ?? '';
          const site = world.sites.get(name)?.public;
          if (site === undefined) return { address, status: 404, answer: { state: 'missing' } };
          return { address, status: 200, answer: known(site) };
        },
      },
    },
  };
  const removed = new Map<string, Site>();
  const answer = <T>(path: string, make: () => Known<T>): Known<T> => {
    const failure = world.refuse(path);
    return failure === undefined ? make() : { state: 'failed', failure };
  };
  const write = async (call: Call, apply: () => void): Promise<Known<unknown>> => {
    await world.gate;
    return answer(call.address, () => {
      apply();
      return known({});
    });
  };
  const writeSite = ({ method, address, body }: Call): void => {
    const name = /\/sites\/(.+)\.json/.exec(address)?.[1] ?? '';
    const current = world.sites.get(name);
    if (method === 'DELETE') {
      if (current !== undefined) removed.set(name, current);
      return void world.sites.delete(name);
    }
    const restored = removed.get(name);
    if (address.includes('restoreVersion') && restored !== undefined) return void world.sites.set(name, restored);
    const input = SiteInput.parse(body?.type === 'json' ? body.value : undefined);
    world.sites.set(name, Site.parse({ ...input, version: 1, name, created: TIME, lastModified: TIME }));
  };
  const writeAuthoring = ({ address, body }: Call): void => {
    const fields = new Map(body?.type === 'form' ? body.fields : []);
    const path = address.slice(AUTHOR.length);
    if (fields.get(':operation') === 'delete') {
      world.pages.delete(path);
      return void world.configurations.delete(path.split('/settings/')[0] ?? '');
    }
    if (path === '/bin/wcmcommand') return addPage(world, `${fields.get('parentPath') ?? ''}/${fields.get('label') ?? ''}`);
    if (path.startsWith('/content/')) {
      const page = path.replace('/_jcr_content', '');
      const conf = fields.get('./cq:conf');
      const { ownConfiguration: _before, ...rest } = world.pages.get(page) ?? { path: page, title: '', kind: 'page', hasChildren: false };
      return void world.pages.set(page, { ...rest, ...(conf === undefined ? {} : { ownConfiguration: conf }) });
    }
    const conf = path.split('/settings/')[0] ?? '';
    const value = (name: string) =>
      fields.get(`./${name}`) ?? fields.get(`./jcr:content/${name}`) ?? world.configurations.get(conf)?.[name];
    world.configurations.set(conf, {
      owner: String(value('owner')),
      repo: String(value('repo')),
      projectType: String(value('projectType')),
    });
  };
  addPage(world, '/content/wknd', { title: 'Tarnfell', ownConfiguration: '/conf/wknd', hasChildren: true });
  return world;
}

export function addPage(world: SitesWorld, path: string, more: Partial<ContentPage> = {}): void {
  world.pages.set(path, { path, title: path.slice(path.lastIndexOf('/') + 1), kind: 'page', hasChildren: false, ...more });
}

/** A country with this many locales, none of which has a site. */
export function addCountry(world: SitesWorld, code: string, languages: readonly string[]): void {
  addPage(world, `/content/wknd/${code}`, { hasChildren: true });
  for (const language of languages) addPage(world, `/content/wknd/${code}/${language}`, { language });
}

export function siteOf(name: string, root: string, repo = 'wknd'): Site {
  return {
    version: 1,
    name,
    created: TIME,
    lastModified: TIME,
    code: { owner: 'wknd', repo, source: { type: 'github', url: `https://github.example.com/wknd/${repo}` } },
    content: {
      source: {
        type: 'markup',
        suffix: '.html',
        url: printDeliveryAddress({ author: AUTHOR, connector: 'franklin', org: 'wknd', site: name, ref: 'main' }),
      },
    },
    access: { admin: { role: { admin: ['ada.admin@example.com'], config_admin: [ACCOUNT] }, requireAuth: 'auto' } },
    public: { paths: { mappings: [`${root}/:/`, `${root}/configuration:/.helix/config.json`], includes: [`${root}/`] } },
  };
}

function entryOf({ name, content, code, public: open }: Site): SiteListEntry {
  return {
    name,
    path: `/config/wknd/sites/${name}.json`,
    ...(content === undefined ? {} : { content }),
    ...(code === undefined ? {} : { code }),
    ...(open === undefined ? {} : { public: open }),
  };
}

function known<T>(value: T): Known<T> {
  return { state: 'known', value };
}

function optional<V, T>(value: V | undefined, make: (value: V) => T): Known<T> {
  return value === undefined ? { state: 'missing' } : known(make(value));
}
