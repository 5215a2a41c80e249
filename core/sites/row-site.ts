import type { Access, AdminAccess } from '@repoless/contract/access.ts';
import { changedDelivery, parseDeliveryAddress, printDeliveryAddress, siteAddress } from '@repoless/contract/addresses.ts';
import type { CodeSource } from '@repoless/contract/code-source.ts';
import { defined, sameValue } from '@repoless/contract/json.ts';
import { parseMapping, printMapping } from '@repoless/contract/mappings.ts';
import { DEFAULT_REF } from '@repoless/contract/names.ts';
import { hostDomains } from '@repoless/contract/service.ts';
import { type ContentSource, type PublicConfig, type Site, type SiteInput, withPaths } from '@repoless/contract/site.ts';
import { withoutDuplicates } from '../plan/choices.ts';
import {
  accessWith,
  type DecidedSite,
  delivered,
  desiredMappings,
  differingParts,
  inCurrentOrder,
  wholeSite,
} from '../plan/desired-site.ts';
import { codeChoice } from '../situation/code-choice.ts';
import type { SiteConfigurations, Target } from '../situation/situation.ts';
import { authorOf } from './organization-sites.ts';
import { type Batch, type PathChange, type RowMove, type SiteRow } from './rows.ts';

export function rowAddresses(batch: Pick<Batch, 'organization' | 'info'>, row: Pick<SiteRow, 'siteName'>) {
  const host = { ref: DEFAULT_REF, site: row.siteName, org: batch.organization };
  const domains = hostDomains(batch.info);
  return { preview: siteAddress(domains, 'preview', host), live: siteAddress(domains, 'live', host) };
}

export function authorOfRow(batch: Pick<Batch, 'author'>, row: SiteRow): string {
  return row.author ?? batch.author;
}

/** The name of a row's site, and its organization. */
export function targetOfRow({ organization }: Pick<Batch, 'organization'>, { siteName }: Pick<SiteRow, 'siteName'>): Target {
  return { organization, siteName };
}

/**
 * The desired site of a row. `current` is the site's effective configuration. What the row doesn't mention stays; what differs
 * only in order or spelling is taken as stored, so that it is not a difference.
 */
export function rowSite(batch: Batch, row: SiteRow, current?: Site): DecidedSite {
  const code = current?.code;
  const content = contentOf(batch, row, current?.content);
  const folders = row.folders ?? current?.folders;
  if (row.move !== undefined && current !== undefined) {
    const overlay = movedOverlay(content.overlay, row.move.from, authorOfRow(batch, row));
    return { ...defined({ code, folders }), content: { ...content, ...defined({ overlay }) }, ...movedSite(row, row.move, current) };
  }
  return {
    code: codeOf(row.code ?? batch.code, code),
    content,
    public: publicOf(batch, row, current),
    ...defined({ access: accessWith(current, adminOf(batch, row), () => batch.further === 'keep'), folders }),
  };
}

/** The body of the single PUT that registers a row's site, or updates it to match the row. */
export function rowBody(batch: Batch, row: SiteRow, current?: SiteConfigurations): SiteInput {
  return wholeSite(current, rowSite(batch, row, current?.config));
}

/** The parts in which a site's effective configuration differs from its row. */
export function rowDifference(batch: Batch, row: SiteRow, current: Site) {
  return differingParts(current, rowSite(batch, row, current));
}

function codeOf(desired: CodeSource, current: CodeSource | undefined): CodeSource {
  if (current === undefined) return desired;
  const [one, other] = [codeChoice(current), codeChoice(desired)];
  // The first site of a repository holds the secret; a row that doesn't mention it leaves it there.
  const silent = other?.type === 'byogit' && !other.holdsSecret && one?.type === 'byogit';
  return sameValue(silent ? { ...one, holdsSecret: false } : one, other) ? current : desired;
}

function contentOf(batch: Batch, row: SiteRow, current: ContentSource | undefined): ContentSource {
  const url = printDeliveryAddress({
    author: authorOfRow(batch, row),
    connector: batch.info.connector,
    org: batch.organization,
    site: row.siteName,
    ref: DEFAULT_REF,
  });
  const content = delivered(current, url, row.suffix);
  return row.overlay === undefined || sameValue(content.overlay, row.overlay) ? content : { ...content, overlay: row.overlay };
}

function publicOf({ further }: Batch, row: SiteRow, site: Site | undefined): PublicConfig {
  const current = site?.public;
  const paths = current?.paths;
  const mappings = desiredMappings(row.mappings, paths?.mappings, further);
  const { includes: _includes, ...rest } = paths ?? {};
  const excludes = row.excludes === undefined ? {} : { excludes: inCurrentOrder(row.excludes, paths?.excludes) };
  return { ...current, paths: withPaths(rest, { mappings, ...includesOf(further, row, site), ...excludes }) };
}

/**
 * Without a list everything is included, so none is added to a row that has none, and an existing one is removed only if someone emptied
 * it. A profile's list is replaced by one that includes everything.
 */
function includesOf(further: Batch['further'], { includes: desired, givesUpIncludes = false }: SiteRow, site: Site | undefined) {
  const current = site?.public?.paths?.includes;
  const existing = further === 'keep' && !givesUpIncludes ? current : undefined;
  if (desired === undefined && current?.includes('/') === true) return { includes: current };
  if (desired === undefined && current !== undefined && existing === undefined && site?.extends?.profile !== undefined)
    return { includes: ['/'] };
  if (desired === undefined) return existing === undefined ? {} : { includes: [...existing] };
  return { includes: inCurrentOrder([...desired, ...(existing ?? [])], current) };
}

/** The roles of a row with its technical account, which may configure and publish. */
function adminOf(batch: Batch, row: SiteRow): AdminAccess {
  const { role, ...access } = row.access ?? batch.access;
  const named = role?.config_admin;
  if (row.technicalAccount === '') return { ...access, ...(role === undefined ? {} : { role }) };
  return { ...access, role: { ...role, config_admin: withoutDuplicates([...(named ?? []), row.technicalAccount]) } };
}

/**
 * What changes with a site's environment: content paths and the technical account. Everything else stays as stored, including changes since
 * the move was planned. Takes the site at either end of its move; one that has arrived is unchanged.
 */
function movedSite(row: SiteRow, move: RowMove, current: Site): Pick<DecidedSite, 'public' | 'access'> {
  // If a new path is below an old one, changing it again would change it twice.
  const paths = authorOf(current) === move.from ? move.paths : [];
  return { public: movedPublic(paths, current.public ?? {}), access: movedAccess(row, move, current.access ?? {}) };
}

/** The path in the other environment: by the longest matching prefix, otherwise unchanged. A trailing slash stays. */
export function movedPath(path: string, changes: readonly PathChange[]): string {
  const fitting = changes.filter(({ from }) => path === from || path.startsWith(`${from}/`));
  const [longest] = fitting.toSorted((one, other) => other.from.length - one.from.length);
  return longest === undefined ? path : `${longest.to}${path.slice(longest.from.length)}`;
}

export function movedMappings(mappings: readonly string[], changes: readonly PathChange[]): string[] {
  return mappings.map((text) => {
    const mapping = parseMapping(text);
    return 'problem' in mapping ? text : printMapping({ ...mapping, content: movedPath(mapping.content, changes) });
  });
}

/** An overlay of the same author moves too; one from elsewhere stays. */
function movedOverlay(overlay: ContentSource['overlay'], from: string, to: string): ContentSource['overlay'] {
  const current = overlay === undefined ? undefined : parseDeliveryAddress(overlay.url);
  if (overlay === undefined || current?.author !== from) return overlay;
  return { ...overlay, url: changedDelivery(overlay.url, { author: to }) ?? overlay.url };
}

/** The mappings and lists of a site whose content paths change. */
export function movedPublic(changes: readonly PathChange[], current: PublicConfig): PublicConfig {
  const { mappings, includes, excludes, ...others } = current.paths ?? {};
  const moved = (paths: readonly string[]) => [...new Set(paths.map((path) => movedPath(path, changes)))];
  return {
    ...current,
    paths: {
      ...others,
      ...(mappings === undefined ? {} : { mappings: movedMappings(mappings, changes) }),
      ...(includes === undefined ? {} : { includes: moved(includes) }),
      ...(excludes === undefined ? {} : { excludes: moved(excludes) }),
    },
  };
}

/** The new account gets each role of the old one, and may publish in any case. */
function movedAccess({ technicalAccount }: SiteRow, { account, publishers: inherited }: RowMove, current: Access): Access {
  const isOld = (name: string) => account !== undefined && technicalAccount !== '' && name.toLowerCase() === account.toLowerCase();
  const swapped = (members: readonly string[] = []) =>
    members.some(isOld) ? withoutDuplicates(members.map((name) => (isOld(name) ? technicalAccount : name))) : [...members];
  const role = current.admin?.role;
  const roles = Object.fromEntries(Object.entries(role ?? {}).map(([name, members]) => [name, swapped(members)]));
  const before = role?.config_admin ?? inherited;
  const publishers = swapped(before);
  const isListed = technicalAccount === '' || publishers.some((name) => name.toLowerCase() === technicalAccount.toLowerCase());
  const after = isListed ? publishers : [...publishers, technicalAccount];
  if (role?.config_admin === undefined && sameValue(before ?? [], after)) return current;
  return { ...current, admin: { ...current.admin, role: { ...roles, config_admin: after } } };
}
