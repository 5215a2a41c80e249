import { defined } from '@repoless/contract/json.ts';
import { parseDeliveryAddress } from '@repoless/contract/addresses.ts';
import type { CodeSource } from '@repoless/contract/code-source.ts';
import { contentRoot, readMappings } from '@repoless/contract/mappings.ts';
import type { ContentSource, PublicConfig, SiteListEntry } from '@repoless/contract/site.ts';
import { codeChoice, keyOfName, repositoryName } from '../situation/code-choice.ts';
import { groupByRepository, groupOf } from '../sync/repository-groups.ts';

export const SITE_KINDS = ['base', 'locale', 'production', 'single'] as const;
export type SiteKind = (typeof SITE_KINDS)[number];

export interface OrganizationSite {
  readonly name: string;
  /** `github:owner/repo`, as written; sites with the same key (`keyOfName`) share their code. */
  readonly repository?: string;
  readonly author?: string;
  readonly contentRoot?: string;
  /** The site with the same code whose content root is above this one's: this site is one of its locales. */
  readonly base?: string;
  readonly hasLocales: boolean;
  readonly kind: SiteKind;
  /** It has code, content and a content root. */
  readonly complete: boolean;
}

/**
 * All sites of an organization with their relations: a base has sites below its content root, on the same author, that
 * share its code. Pure; fast enough for 10,000 sites.
 */
export function organizationSites(sites: readonly SiteListEntry[]): OrganizationSite[] {
  const indexes = new Map<string, SiteIndex>();
  for (const author of authorsOf(sites)) indexes.set(author, indexSites(sites, author));
  const related = sites.map((site) => withRelations(site, indexes));
  const bases = new Set(related.flatMap(({ base }) => base ?? []));
  const twins = twinsOf(related);
  return related.map((site) => {
    const hasLocales = bases.has(site.name);
    return { ...site, hasLocales, kind: isTwin(site, twins) ? 'production' : hasLocales ? 'base' : site.kind };
  });
}

function withRelations(site: SiteListEntry, indexes: ReadonlyMap<string, SiteIndex>): OrganizationSite {
  const author = authorOf(site);
  const root = contentRoot(site.public?.paths?.mappings ?? []);
  const repository = repositoryOf(site);
  const above = author === undefined || root === undefined ? undefined : indexes.get(author)?.above(root);
  const base = above !== undefined && keyOf(repositoryOf(above)) === keyOf(repository) ? above.name : undefined;
  return {
    name: site.name,
    ...defined({ repository, author, contentRoot: root, base }),
    hasLocales: false,
    kind: base === undefined ? 'single' : 'locale',
    complete: isComplete(site),
  };
}

/** Sites by code and content root, which a site shares with its twin in another environment. */
function twinsOf(sites: readonly OrganizationSite[]): ReadonlyMap<string, readonly OrganizationSite[]> {
  const twins = new Map<string, OrganizationSite[]>();
  for (const site of sites) {
    const same = twins.get(twinKey(site));
    if (same === undefined) twins.set(twinKey(site), [site]);
    else same.push(site);
  }
  return twins;
}

function twinKey({ repository, contentRoot: root }: OrganizationSite): string {
  return `${keyOf(repository) ?? ''} ${root ?? ''}`;
}

/** The same code and content as another site, from another author, and that site's name with a suffix: `wknd-prod` of `wknd`. */
function isTwin(site: OrganizationSite, twins: ReadonlyMap<string, readonly OrganizationSite[]>): boolean {
  if (!site.complete) return false;
  const same = twins.get(twinKey(site)) ?? [];
  return same.some(({ name, author }) => author !== site.author && site.name.startsWith(`${name}-`));
}

function repositoryOf({ code }: Pick<SiteListEntry, 'code'>): string | undefined {
  const choice = codeChoice(code);
  return choice === undefined ? undefined : repositoryName(choice);
}

function keyOf(repository: string | undefined): string | undefined {
  return repository === undefined ? undefined : keyOfName(repository);
}

/** Whether a registered site has everything that its pages need. */
export function isComplete({ code, content, public: open }: SiteParts): boolean {
  return codeChoice(code) !== undefined && content !== undefined && mapsRoot(open?.paths?.mappings ?? []);
}

interface SiteParts {
  readonly code?: CodeSource | undefined;
  readonly content?: ContentSource | undefined;
  readonly public?: PublicConfig | undefined;
}

/** Something is mapped to `/`, possibly all content (`/:/`). */
function mapsRoot(mappings: readonly string[]): boolean {
  return readMappings(mappings).some((mapping) => mapping.public === '/');
}

/** Why a site cannot be removed while other sites stay. */
export type Dependents =
  | { readonly kind: 'base'; readonly sites: readonly string[] }
  /** They read their code with a secret that this site holds. */
  | { readonly kind: 'holds-secret'; readonly sites: readonly string[] };

/** Takes all sites of the organization. Returns a function for what depends on a site, as long as the named sites exist. */
export function dependentsOf(sites: readonly SiteListEntry[]) {
  const related = organizationSites(sites);
  const groups = groupByRepository(sites);
  return (name: string, staying: ReadonlySet<string>): Dependents | undefined => {
    const others = (names: readonly string[]) => names.filter((other) => other !== name && staying.has(other));
    const locales = others(related.flatMap((site) => (site.base === name ? [site.name] : [])));
    if (locales.length > 0) return { kind: 'base', sites: locales };
    const group = groupOf(groups, name);
    const sharing = group?.holder === name ? others(group.sites) : [];
    return sharing.length === 0 ? undefined : { kind: 'holds-secret', sites: sharing };
  };
}

/** The service's sites by their content roots on one author. */
export interface SiteIndex {
  at(path: string): SiteListEntry | undefined;
  above(path: string): SiteListEntry | undefined;
  named(name: string): SiteListEntry | undefined;
}

/** Takes the sites of an organization, and scheme and host of the author. Sites with content from other authors are left out. */
export function indexSites(sites: readonly SiteListEntry[], author: string): SiteIndex {
  const byRoot = new Map<string, SiteListEntry>();
  const byName = new Map(sites.map((site) => [site.name, site]));
  for (const site of sites) {
    const root = rootOnAuthor(site, author);
    if (root !== undefined) byRoot.set(root, site);
  }
  const at = (path: string) => byRoot.get(path);
  const above = (path: string): SiteListEntry | undefined => {
    const parent = path.slice(0, path.lastIndexOf('/'));
    return parent === '' ? undefined : (at(parent) ?? above(parent));
  };
  return { at, above, named: (name) => byName.get(name) };
}

/** The content root of a site; undefined if it has none, or its content comes from another author. */
export function rootOnAuthor(site: Pick<SiteListEntry, 'content' | 'public'>, author: string): string | undefined {
  if (authorOf(site) !== author) return undefined;
  return contentRoot(site.public?.paths?.mappings ?? []);
}

/** Scheme and host of the author that delivers a site's content. */
export function authorOf({ content }: Pick<SiteListEntry, 'content'>): string | undefined {
  return content === undefined ? undefined : parseDeliveryAddress(content.source.url)?.author;
}

/** The authors that sites get their content from, each once, sorted. */
export function authorsOf(sites: readonly Pick<SiteListEntry, 'content'>[]): readonly string[] {
  return [...new Set(sites.flatMap((site) => authorOf(site) ?? []))].toSorted();
}
