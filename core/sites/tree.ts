import { defined } from '@repoless/contract/json.ts';
import { parseDeliveryAddress } from '@repoless/contract/addresses.ts';
import type { EdgeConfiguration } from '@repoless/contract/authoring.ts';
import type { ServiceInfo } from '@repoless/contract/service.ts';
import type { SiteState } from '@repoless/contract/site-check.ts';
import type { SiteListEntry } from '@repoless/contract/site.ts';
import { joinStates, type SiteFacts, siteState } from '../checks/site-state.ts';
import type { ContentPage } from '../situation/ports.ts';
import type { Setting } from '../situation/situation.ts';
import { indexSites, isComplete, organizationSites, type SiteIndex, type SiteKind } from './organization-sites.ts';

/** The level of a page in a multi-site tree: the base site's root, a country, a locale, or a page of one of them. */
export type Level = 'root' | 'country' | 'locale' | 'page';

/** The state of a page with regard to the service's sites. `site` names the service's site. */
export type NodeState =
  /** The page has a site. */
  | { readonly kind: 'site'; readonly site: string; readonly state: SiteState; readonly drifts: readonly NodeDrift[] }
  /** The authoring system was switched to a site that the service does not have. */
  | { readonly kind: 'missing-site'; readonly missingSite: string; readonly state: 'faulty' }
  /** It belongs to the site of a page above it. */
  | { readonly kind: 'covered'; readonly by: string }
  /** It could be a site; until then it belongs to the site of a page above it, if there is one. */
  | { readonly kind: 'not-yet'; readonly by?: string; readonly state: 'not-set-up' }
  /** The service's sites could not be read. */
  | { readonly kind: 'unknown'; readonly state: SiteState };

export interface NodeDrift {
  readonly field: 'organization' | 'siteName' | 'projectType' | 'cloudConfiguration' | 'siteRoot' | 'deliveryAddress';
  /** The authoring system's value, and the value that would match the service; empty if there is none. */
  readonly authoring: string;
  readonly service: string;
}

export interface TreeNode {
  readonly path: string;
  readonly title: string;
  readonly level: Level;
  readonly hasChildren: boolean;
  readonly language?: string;
  readonly liveCopyOf?: string;
  /** The effective `/conf/…` path: the page's own (`page`), or inherited from which page. */
  readonly cloudConfiguration: Setting;
  readonly state: NodeState;
  readonly site?: SiteListEntry;
  readonly kind?: SiteKind;
}

/** The data from which node states are derived, read once for the whole tree. */
export interface TreeContext {
  readonly author: string;
  readonly organization: string;
  readonly info: Pick<ServiceInfo, 'repolessProjectType'>;
  readonly sites: readonly SiteListEntry[] | undefined;
}

/** A level of the tree: the pages below one path, and the configurations that they name themselves. */
export interface ReadLevel {
  readonly pages: readonly ContentPage[];
  /** By `/conf` path; absent if there is no Edge Delivery configuration at exactly that path. */
  readonly configurations: ReadonlyMap<string, EdgeConfiguration>;
  /** Those that could not be read: it is unknown whether there is one. */
  readonly unread?: ReadonlySet<string>;
}

/**
 * The nodes of one level with their states. Pure: `read` is the authoring system's answer, `parent` the node above
 * (undefined at the top), `context` the service's sites. When the sites change, the same levels yield the new states.
 */
export function treeStates(
  context: TreeContext,
  parent: TreeNode | undefined,
  read: ReadLevel,
  /** The context's sites by content root, with their relations: callers that render many levels create it once. */
  known = context.sites === undefined ? undefined : knownSites(context.sites, context.author),
): TreeNode[] {
  return read.pages.map((page) => {
    const level = levelOf(page, parent === undefined || isRootFolder(parent) ? undefined : parent.level);
    const cloudConfiguration = configurationOf(page, parent);
    const own = page.ownConfiguration === undefined ? undefined : read.configurations.get(page.ownConfiguration);
    const isUnread = page.ownConfiguration !== undefined && read.unread?.has(page.ownConfiguration) === true;
    const site = known?.index.at(page.path);
    const kind = site === undefined ? undefined : known?.kinds.get(site.name);
    return {
      path: page.path,
      title: page.title,
      level,
      hasChildren: page.hasChildren,
      ...defined({ language: page.language, liveCopyOf: page.liveCopyOf }),
      cloudConfiguration,
      state:
        known === undefined
          ? { kind: 'unknown', state: siteState({ registered: undefined }) }
          : stateOf(context, known.index, { page, level, parent, own, isUnread, cloudConfiguration }),
      ...defined({ site, kind }),
    };
  });
}

/** By path: the states found by checks since the sites were read, and those stored before. */
interface FoundStates {
  readonly own: ReadonlyMap<string, SiteState>;
  readonly stored: ReadonlyMap<string, SiteState>;
}

/** The state of a page's site that was checked. What the tree reads adds to an earlier check. */
export function foundState({ path, state }: Pick<TreeNode, 'path' | 'state'>, { own, stored }: FoundStates): SiteState | undefined {
  const before = state.kind === 'site' ? stored.get(path) : undefined;
  if (own.has(path) || before === undefined || state.kind !== 'site') return own.get(path);
  return joinStates(state.state, before);
}

interface KnownSites {
  readonly index: SiteIndex;
  readonly kinds: ReadonlyMap<string, SiteKind>;
}

export function knownSites(sites: readonly SiteListEntry[], author: string): KnownSites {
  return { index: indexSites(sites, author), kinds: new Map(organizationSites(sites).map(({ name, kind }) => [name, kind])) };
}

/** A folder directly below `/content` that contains roots. */
function isRootFolder({ level, cloudConfiguration, path }: TreeNode): boolean {
  return level === 'page' && cloudConfiguration.value === undefined && path.split('/').length === 3;
}

function configurationOf(page: ContentPage, parent: TreeNode | undefined): Setting {
  if (page.ownConfiguration !== undefined) return { value: page.ownConfiguration, source: { kind: 'page', path: page.path } };
  const above = parent?.cloudConfiguration;
  if (above?.value === undefined || above.source.kind === 'missing') return { source: { kind: 'missing' } };
  const from = above.source.kind === 'inherited' ? above.source.from : (parent?.path ?? '');
  return { value: above.value, source: { kind: 'inherited', from } };
}

interface Evaluated {
  readonly page: ContentPage;
  readonly level: Level;
  readonly parent: TreeNode | undefined;
  readonly own: EdgeConfiguration | undefined;
  readonly isUnread: boolean;
  readonly cloudConfiguration: Setting;
}

function stateOf(context: TreeContext, index: SiteIndex, evaluated: Evaluated): NodeState {
  const { page, level, parent } = evaluated;
  const site = index.at(page.path);
  if (site !== undefined) {
    const drifts = driftsOf(context, site, evaluated);
    return { kind: 'site', site: site.name, state: siteState(factsOf(context, site, evaluated, drifts)), drifts };
  }
  const missingSite = missingSiteOf(context, index, evaluated);
  if (missingSite !== undefined) return { kind: 'missing-site', missingSite, state: 'faulty' };
  const above = index.above(page.path);
  if (level === 'page' && above !== undefined) return { kind: 'covered', by: above.name };
  if (above === undefined) return { kind: 'not-yet', state: 'not-set-up' };
  // A country or locale of the base site can become a site; a locale of a country that is a site belongs to that one.
  const ofCountry = parent?.level === 'country' && parent.site !== undefined;
  return ofCountry ? { kind: 'covered', by: above.name } : { kind: 'not-yet', by: above.name, state: 'not-set-up' };
}

/** What the tree derives for a site. A configuration that could not be read neither matches nor differs. */
function factsOf(
  { info }: TreeContext,
  site: SiteListEntry,
  { own, isUnread, cloudConfiguration }: Evaluated,
  drifts: readonly NodeDrift[],
): SiteFacts {
  const registered = { registered: true, complete: isComplete(site) };
  if (cloudConfiguration.source.kind !== 'page') return { ...registered, authoring: { switched: false, differs: false } };
  if (isUnread) return registered;
  const findings = drifts.map(({ field }) => ({ check: field, verdict: ERRORS.has(field) ? ('wrong' as const) : ('warning' as const) }));
  return { ...registered, authoring: { switched: own?.projectType === info.repolessProjectType, differs: drifts.length > 0 }, findings };
}

/** The checks report these differences as wrong: pages are published to another site. */
const ERRORS: ReadonlySet<NodeDrift['field']> = new Set(['organization', 'siteName', 'deliveryAddress']);

/** The authoring system was switched to a site that the service does not have: the editor's white page. */
function missingSiteOf(context: TreeContext, index: SiteIndex, { own }: Evaluated): string | undefined {
  const name = own?.repo;
  if (name === undefined || own?.projectType !== context.info.repolessProjectType) return undefined;
  return index.named(name) === undefined ? name : undefined;
}

/** The differences between the authoring system's settings for a page and its site at the service. */
function driftsOf(context: TreeContext, site: SiteListEntry, { page, own, cloudConfiguration }: Evaluated): NodeDrift[] {
  const drifts: NodeDrift[] = [
    { field: 'siteRoot', authoring: `${page.path}/:/`, service: rootMapping(site, page.path) },
    { field: 'deliveryAddress', authoring: `${context.organization}/${site.name}`, service: delivered(site) },
    ...(own === undefined ? [] : configurationDrifts(context, site, own)),
  ];
  const differing = drifts.filter((drift) => drift.authoring !== drift.service);
  if (cloudConfiguration.source.kind === 'page') return differing;
  return [...differing, { field: 'cloudConfiguration', authoring: cloudConfiguration.value ?? '', service: '' }];
}

function configurationDrifts({ organization, info }: TreeContext, site: SiteListEntry, own: EdgeConfiguration): NodeDrift[] {
  return [
    { field: 'organization', authoring: own.owner ?? '', service: organization },
    { field: 'siteName', authoring: own.repo ?? '', service: site.name },
    { field: 'projectType', authoring: own.projectType ?? '', service: info.repolessProjectType },
  ];
}

function delivered({ content }: SiteListEntry): string {
  const url = content?.source.url ?? '';
  const address = parseDeliveryAddress(url);
  return address === undefined ? url : `${address.org}/${address.site}`;
}

/** The stored mapping to `/`: that of the page, if there are several. */
function rootMapping(site: SiteListEntry, page: string): string {
  const onRoot = (site.public?.paths?.mappings ?? []).filter((text) => text.endsWith(':/'));
  return onRoot.find((text) => text === `${page}/:/`) ?? onRoot[0] ?? '';
}

/** Two or three letters can be a code (`ch`, `de`), words like `global` cannot; `ch-de`, `de_CH`, `fr-ca` combine language and country. */
const CODE = /^[a-z]{2,3}$/i;
const BOTH = /^[a-z]{2,3}[-_][a-z]{2,4}$/i;

/**
 * The level of a page, from its name, its language and the level of its parent (undefined below `/content` and below folders there). A page
 * there is a root; below a root, a code without its own language is a country, and a code with one (or a live copy), or language and
 * country in one name, is a locale; below a country every code is a locale. Language masters are not codes, so they and their descendants
 * are pages.
 */
export function levelOf(page: ContentPage, parent: Level | undefined): Level {
  if (parent === undefined) return page.kind === 'folder' ? 'page' : 'root';
  const name = page.path.slice(page.path.lastIndexOf('/') + 1);
  if (parent === 'root') {
    if (BOTH.test(name)) return 'locale';
    if (!CODE.test(name)) return 'page';
    return page.language !== undefined || page.liveCopyOf !== undefined ? 'locale' : 'country';
  }
  return parent === 'country' && (CODE.test(name) || BOTH.test(name)) ? 'locale' : 'page';
}
