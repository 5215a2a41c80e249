import type { ServiceInfo } from '@repoless/contract/service.ts';
import type { SetupPorts } from '@repoless/core/situation/ports.ts';
import { readEnvironment } from '@repoless/core/sites/environments.ts';
import { batchOf, proposeRows } from '@repoless/core/sites/propose-rows.ts';
import { readLevelsBelow } from '@repoless/core/sites/read-tree.ts';
import type { LeavingSite, LocaleSite } from '@repoless/core/sites/remove-sites.ts';
import type { Batch, SiteRow } from '@repoless/core/sites/rows.ts';
import { type TreeContext, type TreeNode, treeStates } from '@repoless/core/sites/tree.ts';
import type { Person, SetupWorld } from './setup-world.ts';
import type { Known } from '@repoless/core/situation/call.ts';

export function valueOf<T>(known: Known<T>): T {
  if (known.state !== 'known') throw new Error(`This was not read: ${JSON.stringify(known)}`);
  return known.value;
}

export interface OpenedTree {
  readonly context: TreeContext;
  readonly info: ServiceInfo;
  /** Every node that was read, by its path. */
  readonly nodes: ReadonlyMap<string, TreeNode>;
}

/** Opens the content tree as a site manager does, down to the children of the pages for which `open` returns true. */
export async function openTree(ports: SetupPorts, author: string, open: (path: string) => boolean): Promise<OpenedTree> {
  const info = valueOf(await ports.service.info());
  const context: TreeContext = { author, organization: 'wknd', info, sites: valueOf(await ports.service.allSites('wknd')) };
  const { levels, failures } = await readLevelsBelow(ports.authoring, '/content', open, new AbortController().signal);
  if (failures.size > 0) throw new Error(JSON.stringify([...failures]));
  const nodes = new Map<string, TreeNode>();
  for (const [path, level] of levels) for (const node of treeStates(context, nodes.get(path), level)) nodes.set(node.path, node);
  return { context, info, nodes };
}

/** Opens the tree down to the locales of the base site's countries. */
export async function openCountries(world: SetupWorld, { ports }: Person, environment?: string): Promise<OpenedTree> {
  return openTree(ports, world.authorAddress(environment), (path) => /^\/content\/wknd(\/[a-z]{2})?$/.test(path));
}

/** Selects locales for new sites of the base site. */
export async function chooseLocales(world: SetupWorld, person: Person, ...paths: string[]): Promise<Chosen> {
  return chooseSites(person.ports, await openCountries(world, person), paths);
}

export interface Chosen {
  readonly batch: Batch;
  readonly rows: SiteRow[];
}

/** Selects pages of the tree for new sites of a base site. */
export async function chooseSites(ports: SetupPorts, tree: OpenedTree, paths: readonly string[], base = 'wknd'): Promise<Chosen> {
  const { context, info, nodes } = tree;
  const { organization, author, sites = [] } = context;
  const configuration = valueOf(await ports.service.configuration(organization, base)).config;
  const environment = valueOf(await readEnvironment(ports.authoring, '/content/wknd', info));
  const batch = batchOf({ organization, author, base: configuration, info, baseConfiguration: '/conf/wknd', environments: [environment] });
  const chosen = paths.flatMap((path) => nodes.get(path) ?? []);
  return { batch, rows: proposeRows(chosen, { organization, sites, technicalAccount: environment.technicalAccount ?? '' }) };
}

/** A site as the removal reads it. */
export async function leaving({ service }: Pick<SetupPorts, 'service'>, site: LocaleSite): Promise<LeavingSite> {
  const stored = await service.configuration(site.organization, site.siteName);
  return { ...site, etag: stored.state === 'known' ? stored.value.etag : '' };
}
