import type { ServiceInfo } from '@repoless/contract/service.ts';
import { CONFIGURATION_PATH, configurationPage } from '@repoless/contract/mappings.ts';
import { DEFAULT_REF, HOST_LABEL_LIMIT, hostLabel, sanitizeRef, SiteName } from '@repoless/contract/names.ts';
import { includesAll, type Site, type SiteListEntry } from '@repoless/contract/site.ts';
import { sameValue } from '@repoless/contract/json.ts';
import { type CodeSource, externalSource } from '@repoless/contract/code-source.ts';
import { ownConfigurationPath } from '../situation/edge-configuration.ts';
import type { Environment } from './environments.ts';
import { type OrganizationSite, organizationSites } from './organization-sites.ts';
import type { Batch, SiteRow } from './rows.ts';
import type { TreeNode } from './tree.ts';

export interface BatchInput {
  readonly organization: string;
  readonly author: string;
  /** The base site as stored by the service. */
  readonly base: Pick<Site, 'code' | 'access'>;
  readonly info: ServiceInfo;
  readonly baseConfiguration?: string;
  readonly environments?: readonly Environment[];
}

/** What all new sites share with their base site: its code (the secret stays with the base) and its administrators. */
export function batchOf({ base, ...input }: BatchInput): Batch {
  const admin = base.access?.admin;
  return {
    ...input,
    code: withoutSecret(base.code ?? {}),
    access: { role: { admin: admin?.role?.admin ?? [] }, ...(admin?.requireAuth === undefined ? {} : { requireAuth: admin.requireAuth }) },
    further: 'keep',
  };
}

/** Other sites of a repository name no secret: the service uses that of the first (docs/contract.md 3.7). */
function withoutSecret(code: CodeSource): CodeSource {
  if (externalSource(code) === undefined || code.source === undefined) return code;
  const { secretId: _secretId, ...source } = code.source;
  return { ...code, source };
}

export interface ProposeInput {
  readonly organization: string;
  /** The service's sites, whose names are taken. */
  readonly sites: readonly SiteListEntry[];
  /** The account of the author's environment. */
  readonly technicalAccount: string;
  /** For production sites: `prod`, for example. */
  readonly nameSuffix?: string;
}

/** A row for each chosen page. A page that already has a site gets a row that fixes what differs, and leaves its code and its people. */
export function proposeRows(nodes: readonly TreeNode[], input: ProposeInput): SiteRow[] {
  const { organization, sites, technicalAccount, nameSuffix: suffix } = input;
  const known = new Map(nodes.flatMap((node) => named(node)));
  const taken = [...sites.map(({ name }) => name), ...known.values()];
  const unnamed = nodes.map(({ path }) => path).filter((path) => !known.has(path));
  const proposed = proposeSiteNames(unnamed, { organization, taken, ...(suffix === undefined ? {} : { suffix }) });
  return nodes.map((node) => {
    const sheet = mappedConfigurationPage(node) ?? `${node.path}/configuration`;
    return {
      id: node.path,
      title: node.title,
      siteName: known.get(node.path) ?? proposed.get(node.path) ?? '',
      contentRoot: node.path,
      mappings: rowMappings(node.path, sheet),
      ...(includesAll(node.site?.public?.paths) ? {} : { includes: [`${node.path}/`] }),
      configurationPage: sheet,
      cloudConfiguration: ownConfigurationPath(node),
      technicalAccount,
      ...(node.site?.code === undefined ? {} : { code: node.site.code, access: {} }),
    };
  });
}

/** The mappings that every site has: its root and everything below it, and its configuration page. */
export function rowMappings(root: string, sheet: string | undefined): string[] {
  return [`${root}/:/`, ...(sheet === undefined ? [] : [`${sheet}:${CONFIGURATION_PATH}`])];
}

/** The name of the existing site, or the one that the authoring system already names. */
function named(node: TreeNode): [path: string, name: string][] {
  if (node.site !== undefined) return [[node.path, node.site.name]];
  const missingSite = node.state.kind === 'missing-site' ? node.state.missingSite : undefined;
  return missingSite !== undefined && SiteName.safeParse(missingSite).success ? [[node.path, missingSite]] : [];
}

function mappedConfigurationPage({ site, path }: TreeNode): string | undefined {
  const page = configurationPage(site?.public?.paths?.mappings ?? []);
  return page?.startsWith(`${path}/`) === true ? page : undefined;
}

interface NameRules {
  readonly organization: string;
  /** Names in use, by sites of the service or other rows. */
  readonly taken: Iterable<string>;
  /** Appended to every name, e.g. `prod`. */
  readonly suffix?: string;
}

/**
 * Proposes a site name for each content path: the segments below `/content`, converted for host names and joined by
 * hyphens (`/content/wknd/ch/de_CH` → `wknd-ch-de-ch`); if that is too long for DNS, country and locale (the last two
 * segments) stay and the rest is cut; a name that is in use gets `-2`, `-3` …
 */
export function proposeSiteNames(paths: readonly string[], rules: NameRules): Map<string, string> {
  const taken = new Set(rules.taken);
  const names = new Map<string, string>();
  for (const path of paths) {
    const name = freeName(path, rules, taken);
    taken.add(name);
    names.set(path, name);
  }
  return names;
}

function freeName(path: string, { organization, suffix }: NameRules, taken: ReadonlySet<string>): string {
  const available = HOST_LABEL_LIMIT - hostLabel(DEFAULT_REF, '', organization).length;
  const end = suffix === undefined ? '' : `-${suffix}`;
  for (let number = 1; ; number++) {
    const ending = number === 1 ? end : `${end}-${number}`;
    const name = `${fitting(path, Math.max(0, available - ending.length))}${ending}`.replace(/^-+/, '');
    if (!taken.has(name) || name === '') return name;
  }
}

/** The name of a path, shortened to a maximum length. */
function fitting(path: string, available: number): string {
  const segments = path
    .replace(/^\/content(?=\/|$)/, '')
    .split('/')
    .map(sanitizeRef)
    .filter((segment) => segment !== '');
  const joined = segments.join('-');
  if (joined.length <= available) return joined;
  const shortened = segments.slice(-2).join('-');
  const before = segments.slice(0, -2).join('-');
  const rest = before.slice(0, Math.max(0, available - shortened.length - 1)).replace(/-+$/, '');
  return (rest === '' ? shortened : `${rest}-${shortened}`).slice(0, available).replace(/-+$/, '');
}

/** The sites whose code others can share, bases first. */
export function baseCandidates(sites: readonly SiteListEntry[]): OrganizationSite[] {
  const able = organizationSites(sites).filter(({ base, complete }) => complete && base === undefined);
  return [...able.filter(({ hasLocales }) => hasLocales), ...able.filter(({ hasLocales }) => !hasLocales)];
}

/**
 * The proposed base site for chosen pages: that of most of those that are already sites, otherwise the one that covers them, otherwise the
 * one named by the current page, otherwise one with the same content root on another author (production), otherwise the first base. A
 * chosen site that is not a base is not proposed for the others, because its code may be wrong.
 */
export function proposeBase(
  nodes: readonly Pick<TreeNode, 'path' | 'state'>[],
  sites: readonly SiteListEntry[],
  siteName: string | undefined,
): string | undefined {
  const candidates = baseCandidates(sites);
  const names = new Set(candidates.map(({ name }) => name));
  const chosen = new Set(nodes.flatMap(({ state }) => (state.kind === 'site' ? [state.site] : [])));
  const current = mostFrequent(organizationSites(sites).flatMap((site) => (chosen.has(site.name) ? baseOf(site) : [])));
  if (current !== undefined && names.has(current)) return current;
  const covering = nodes.map(({ state }) => coveredBy(state)).find((name) => name !== undefined && names.has(name));
  if (covering !== undefined) return covering;
  const others = candidates.filter(({ name }) => !chosen.has(name));
  const twin = others.find(({ contentRoot }) => nodes.some(({ path }) => path === contentRoot));
  const named = siteName !== undefined && names.has(siteName) ? siteName : undefined;
  return twin?.name ?? named ?? others[0]?.name ?? candidates[0]?.name;
}

function baseOf({ name, base, hasLocales }: OrganizationSite): string[] {
  if (base !== undefined) return [base];
  return hasLocales ? [name] : [];
}

function mostFrequent(names: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].toSorted(([, one], [, other]) => other - one)[0]?.[0];
}

function coveredBy(state: TreeNode['state']): string | undefined {
  return state.kind === 'not-yet' || state.kind === 'covered' ? state.by : undefined;
}

export type EditedCell =
  'siteName' | 'contentRoot' | 'cloudConfiguration' | 'technicalAccount' | 'configurationPage' | 'mappings' | 'includes';

/** The text of a cell: lists have one entry per line. */
export function cellText(row: SiteRow, cell: EditedCell): string {
  const value = row[cell];
  return typeof value === 'string' ? value : (value ?? []).join('\n');
}

/**
 * A row after editing one of its cells. Unedited mappings and includes follow the content root and the configuration
 * page; emptying an optional cell removes its value.
 */
export function editRow(row: SiteRow, cell: EditedCell, text: string): SiteRow {
  switch (cell) {
    case 'siteName':
    case 'technicalAccount':
      return { ...row, [cell]: text.trim() };
    case 'mappings':
      return { ...row, mappings: lines(text) };
    case 'includes': {
      const { includes: _before, givesUpIncludes: _given, ...rest } = row;
      return text.trim() === '' ? { ...rest, givesUpIncludes: true } : { ...rest, includes: lines(text) };
    }
    case 'contentRoot':
      return following(row, { ...row, contentRoot: text.trim() });
    case 'configurationPage': {
      const { configurationPage: _before, ...rest } = row;
      return following(row, text.trim() === '' ? rest : { ...rest, configurationPage: text.trim() });
    }
    case 'cloudConfiguration': {
      const { cloudConfiguration: _before, ...rest } = row;
      return text.trim() === '' ? rest : { ...rest, cloudConfiguration: text.trim() };
    }
    default:
      return cell satisfies never;
  }
}

function following(before: SiteRow, after: SiteRow): SiteRow {
  const untouched = sameValue(before.mappings, rowMappings(before.contentRoot, before.configurationPage));
  const included = sameValue(before.includes, [`${before.contentRoot}/`]);
  return {
    ...after,
    ...(untouched ? { mappings: rowMappings(after.contentRoot, after.configurationPage) } : {}),
    ...(included ? { includes: [`${after.contentRoot}/`] } : {}),
  };
}

/** Lines as typed: an unfinished last one stays, so that another line can be written. */
function lines(text: string): string[] {
  return text === '' ? [] : text.split('\n').map((line) => line.trim());
}
