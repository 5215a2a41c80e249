import { type CodeSource, externalSource } from '@repoless/contract/code-source.ts';
import { includesAll } from '@repoless/contract/includes-all.ts';
import { CONFIGURATION_PATH, configurationPage } from '@repoless/contract/mappings.ts';
import { DEFAULT_REF, HOST_LABEL_LIMIT, hostLabel, sanitizeRef, SiteName } from '@repoless/contract/names.ts';
import type { ServiceInfo } from '@repoless/contract/service.ts';
import type { Site, SiteListEntry } from '@repoless/contract/site.ts';
import type { Environment } from './environments.ts';
import { ownConfigurationPath } from './own-configuration-path.ts';
import type { Batch, SiteRow } from './rows.ts';
import type { TreeNode } from './tree.ts';

export interface BatchInput {
  readonly organization: string;
  readonly author: string;
  /** The base site as the service holds it. */
  readonly base: Pick<Site, 'code' | 'access'>;
  readonly info: ServiceInfo;
  readonly baseConfiguration?: string;
  readonly environments?: readonly Environment[];
}

/** What all new sites have of their base site: its code (the secret stays with the base) and its administrators. */
export function batchOf({ base, ...input }: BatchInput): Batch {
  const admin = base.access?.admin;
  return {
    ...input,
    code: withoutSecret(base.code ?? {}),
    access: { role: { admin: admin?.role?.admin ?? [] }, ...(admin?.requireAuth === undefined ? {} : { requireAuth: admin.requireAuth }) },
    further: 'keep',
  };
}

/** A further site of a repository names no secret: the service uses that of the first (docs/contract.md 3.7). */
function withoutSecret(code: CodeSource): CodeSource {
  if (externalSource(code) === undefined || code.source === undefined) return code;
  const { secretId: _secretId, ...source } = code.source;
  return { ...code, source };
}

export interface ProposeInput {
  readonly organization: string;
  /** The service's sites, whose names are taken. */
  readonly sites: readonly SiteListEntry[];
  /** That of the author's environment. */
  readonly technicalAccount: string;
  /** Production sites: `prod`, say. */
  readonly nameSuffix?: string;
}

/** A row for each chosen page. A page that has a site already gets a row that puts right what differs. */
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
    };
  });
}

/** The mappings that every site has: its root and all below it, and its configuration page. */
export function rowMappings(root: string, sheet: string | undefined): string[] {
  return [`${root}/:/`, ...(sheet === undefined ? [] : [`${sheet}:${CONFIGURATION_PATH}`])];
}

/** The name of the site that is there, or that the authoring system names already. */
function named(node: TreeNode): [path: string, name: string][] {
  if (node.site !== undefined) return [[node.path, node.site.name]];
  const promised = node.state.kind === 'promised' ? node.state.promised : undefined;
  return promised !== undefined && SiteName.safeParse(promised).success ? [[node.path, promised]] : [];
}

function mappedConfigurationPage({ site, path }: TreeNode): string | undefined {
  const page = configurationPage(site?.public?.paths?.mappings ?? []);
  return page?.startsWith(`${path}/`) === true ? page : undefined;
}

interface NameRules {
  readonly organization: string;
  /** Names that are taken, by sites of the service or by other rows. */
  readonly taken: Iterable<string>;
  /** Appended to every name, e.g. `prod`. */
  readonly suffix?: string;
}

/**
 * Proposes a site name for each content path. The rules: the segments below `/content`, made fit for host names and joined
 * by hyphens (`/content/wknd/ch/de_CH` → `wknd-ch-de-ch`); where DNS has no room for all of it, country and locale (the
 * last two segments) stay and what is before them is cut; a name that is taken gets `-2`, `-3` …
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
  const room = HOST_LABEL_LIMIT - hostLabel(DEFAULT_REF, '', organization).length;
  const end = suffix === undefined ? '' : `-${suffix}`;
  for (let number = 1; ; number++) {
    const ending = number === 1 ? end : `${end}-${number}`;
    const name = `${fitting(path, Math.max(0, room - ending.length))}${ending}`.replace(/^-+/, '');
    if (!taken.has(name) || name === '') return name;
  }
}

/** The name of a path in at most so many characters. */
function fitting(path: string, room: number): string {
  const segments = path
    .replace(/^\/content(?=\/|$)/, '')
    .split('/')
    .map(sanitizeRef)
    .filter((segment) => segment !== '');
  const whole = segments.join('-');
  if (whole.length <= room) return whole;
  const kept = segments.slice(-2).join('-');
  const before = segments.slice(0, -2).join('-');
  const rest = before.slice(0, Math.max(0, room - kept.length - 1)).replace(/-+$/, '');
  return (rest === '' ? kept : `${rest}-${kept}`).slice(0, room).replace(/-+$/, '');
}
