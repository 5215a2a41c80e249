import type { Access, AdminAccess, AdminRoles } from '@repoless/contract/access.ts';
import type { CodeSource } from '@repoless/contract/code-source.ts';
import { isTree, mappedTo, parseMapping, readMappings } from '@repoless/contract/mappings.ts';
import { parseDeliveryAddress, printDeliveryAddress } from '@repoless/contract/addresses.ts';
import { defined, sameValue } from '@repoless/contract/json.ts';
import { type ContentSource, type PublicConfig, type Site, type SiteInput, withPaths } from '@repoless/contract/site.ts';
import { at, isObject, keysOf } from '../history/json-values.ts';
import { codeChoice } from '../situation/code-choice.ts';
import type { Choices, Situation, SiteConfigurations, Target } from '../situation/situation.ts';
import { withoutDuplicates } from './choices.ts';

/** The parts of a site that setup decides; everything else of an existing site stays unchanged. */
export const DECIDED_PARTS = ['code', 'content', 'public', 'access', 'folders'] as const;
export type DecidedPart = (typeof DECIDED_PARTS)[number];

export interface DecidedSite {
  /** Absent if it comes from the site's profile. */
  readonly code?: CodeSource;
  readonly content: ContentSource;
  readonly public: PublicConfig;
  /** Absent if the site does not have its own and nothing has to be added. */
  readonly access?: Access;
  readonly folders?: Site['folders'];
}

/**
 * The desired parts for the choices, based on the effective configuration: other mappings, includes, roles, members and properties are
 * preserved; administrators, which a person edits one by one, are those chosen.
 */
export function desiredSite(situation: Situation, choices: Choices): DecidedSite {
  const site = situation.site.state === 'known' ? situation.site.value.config : undefined;
  return {
    code: desiredCode(situation, choices, site?.code),
    content: desiredContent(situation, choices, site?.content),
    public: desiredPublic(choices, site?.public),
    ...defined({ access: desiredAccess(choices, site), folders: site?.folders }),
  };
}

/** The parts in which an existing site's effective configuration differs from the desired one. */
export function differingParts(site: Site, desired: DecidedSite): DecidedPart[] {
  return DECIDED_PARTS.filter((part) => !sameValue(site[part], desired[part]));
}

/**
 * The complete site to send so that the desired parts become effective: without what the service sets, and without what comes from its
 * profile.
 */
export function wholeSite(site: SiteConfigurations | undefined, desired: DecidedSite): SiteInput {
  if (site === undefined) return { version: 1, ...desired };
  const parts = DECIDED_PARTS.map((part) => [part, ownPart(part, site.own[part], site.config[part], desired[part])] as const);
  const own = Object.entries(withoutServerFields(site.own)).filter(([key]) => !DECIDED_PARTS.some((part) => part === key));
  return asInput([...own, ['version', 1], ...parts.filter(([, value]) => value !== undefined)]);
}

// Safe: each entry is the site's own, or a decided part without what comes from the profile.
function asInput(entries: readonly (readonly [string, unknown])[]): SiteInput {
  return Object.fromEntries(entries) as SiteInput;
}

export function withoutServerFields(site: Site): SiteInput {
  const { created: _created, lastModified: _modified, name: _name, ...rest } = site;
  return rest;
}

export function desiredDelivery({ settings, info }: Pick<Situation, 'settings' | 'info'>, choices: Target): string {
  const { author } = settings;
  return printDeliveryAddress({ author, connector: info.connector, org: choices.organization, site: choices.siteName, ref: 'main' });
}

function desiredCode({ info }: Situation, { code }: Choices, current: CodeSource | undefined): CodeSource {
  if (current !== undefined && sameValue(codeChoice(current), code)) return current;
  const { owner, repo } = code;
  if (code.type === 'github') return { owner, repo, source: { type: 'github', url: `${info.codeHost}/${owner}/${repo}` } };
  const secret = code.holdsSecret ? { secretId: 'cm-byog' as const } : {};
  return { owner, repo, source: { type: 'byogit', url: code.url, raw_url: code.rawUrl, ...secret } };
}

function desiredContent(situation: Situation, choices: Choices, current: ContentSource | undefined): ContentSource {
  const url = desiredDelivery(situation, choices);
  return delivered(current, url);
}

/** The content source at a delivery address, with the other values of the site. `suffix`: replaces the site's own. */
export function delivered(current: ContentSource | undefined, url: string, desired?: string): ContentSource {
  const existing = current === undefined ? undefined : parseDeliveryAddress(current.source.url);
  const suffix = desired ?? (existing === undefined || current?.source.type !== 'markup' ? undefined : current.source.suffix) ?? '.html';
  const same = existing !== undefined && printDeliveryAddress(existing) === url;
  if (current !== undefined && same && current.source.type === 'markup' && current.source.suffix === suffix) return current;
  const { contentBusId: _id, source: _source, ...rest } = current ?? {};
  // Only the source interprets the query, so it is preserved at any address.
  const query = existing === undefined ? '' : (/\?[^#]*/.exec(current?.source.url ?? '')?.[0] ?? '');
  return { ...rest, source: { url: `${url}${query}`, type: 'markup', suffix } };
}

function desiredPublic(choices: Choices, current: PublicConfig | undefined): PublicConfig {
  const mappings = desiredMappings(choices.mappings, current?.paths?.mappings);
  const existing = current?.paths?.includes;
  const includes = choices.includes === undefined ? existing : inCurrentOrder([...choices.includes, ...(existing ?? [])], existing);
  return { ...current, paths: withPaths(current?.paths, { mappings, ...(includes === undefined ? {} : { includes }) }) };
}

/** The administrators are those chosen; further accounts that may publish stay. */
function desiredAccess({ administrators, technicalAccount }: Choices, site: Site | undefined): Access | undefined {
  const role = { admin: [...administrators], config_admin: technicalAccount === '' ? [] : [technicalAccount] };
  return accessWith(site, { role }, (name) => name !== 'admin');
}

/**
 * The access of a new or an existing site with these roles. `keeps`: whether further members of a role stay. What neither has is left out:
 * an empty list of a role has another meaning than no list.
 */
export function accessWith(site: Site | undefined, desired: AdminAccess, keeps: (role: string) => boolean): Access | undefined {
  const current = site?.access;
  const role = rolesWith(desired.role ?? {}, current?.admin?.role, keeps);
  const requireAuth = desired.requireAuth ?? (site === undefined ? 'auto' : current?.admin?.requireAuth);
  const admin = { ...current?.admin, ...desired, ...defined({ role, requireAuth }) };
  return Object.keys(admin).length === 0 ? current : { ...current, admin };
}

function rolesWith(desired: AdminRoles, existing: AdminRoles | undefined, keeps: (role: string) => boolean): AdminRoles | undefined {
  const roles = Object.entries(desired).flatMap(([name, members = []]) => {
    const had = existing !== undefined && Object.hasOwn(existing, name) ? existing[name] : undefined;
    if (had === undefined && members.length === 0) return [];
    return [[name, membersInOrder(keeps(name) ? withoutDuplicates([...(had ?? []), ...members]) : members, had)] as const];
  });
  return roles.length === 0 ? existing : { ...existing, ...Object.fromEntries(roles) };
}

/** The chosen people, with the spelling and order already stored: case, order and duplicates are not a difference. */
export function membersInOrder(chosen: readonly string[], current: readonly string[] = []): string[] {
  const desired = new Set(chosen.map((name) => name.toLowerCase()));
  const existing = new Set(current.map((name) => name.toLowerCase()));
  if (desired.size === existing.size && [...desired].every((name) => existing.has(name))) return [...current];
  return withoutDuplicates([...current.filter((name) => desired.has(name.toLowerCase())), ...chosen]);
}

/** Without duplicates, and in the order already stored, so that order alone is never a difference. */
export function inCurrentOrder(desired: readonly string[], current: readonly string[] = []): string[] {
  const [all, known] = [new Set(desired), new Set(current)];
  return [...current.filter((text) => all.has(text)), ...[...all].filter((text) => !known.has(text))];
}

/**
 * What a site must store of a part so that `desired` is effective: its own value unchanged if that is already so, because other values
 * still come from the profile; otherwise only what differs. A list, `code` and `content` come entirely from the site or the profile. Takes
 * the site's own part, the effective one, and the desired one. Returns undefined if the site does not need its own value.
 */
export function ownPart(part: string, own: unknown, existing: unknown, desired: unknown): unknown {
  return part === 'code' || part === 'content' ? (sameValue(existing, desired) ? own : desired) : ownValue(own, existing, desired);
}

function ownValue(own: unknown, existing: unknown, desired: unknown): unknown {
  if (sameValue(existing, desired)) return own;
  if (!isObject(existing) || !isObject(desired) || (own !== undefined && !isObject(own))) return desired;
  const entries = keysOf(own, desired)
    .map((key) => [key, ownValue(at(own, key), at(existing, key), at(desired, key))] as const)
    .filter(([, value]) => value !== undefined);
  return own === undefined && entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/**
 * The mappings to store so that the desired ones are effective, in the order already stored, so that order alone is not a difference; but
 * of mappings to one public path the last wins, so those are in the desired order. `further` says whether the site's other mappings stay;
 * those to a public path that gets a new mapping are always removed.
 */
export function desiredMappings(
  desired: readonly string[],
  current: readonly string[] = [],
  further: 'keep' | 'remove' = 'keep',
): string[] {
  const [known, all] = [new Set(current), new Set(desired)];
  const coming = lastOfEach(desired.filter((text) => !known.has(text)));
  const isDisplaced = displacedBy(coming);
  const remaining = current.filter((text) => all.has(text) || (further === 'keep' && !isDisplaced(text)));
  const ordered = [...remaining, ...coming];
  return winners(desired) === winners(ordered.filter((text) => all.has(text)))
    ? ordered
    : [...remaining.filter((text) => !all.has(text)), ...lastOfEach(desired)];
}

function displacedBy(coming: readonly string[]): (text: string) => boolean {
  const targets = new Set(coming.map(targetOf));
  // A new root includes its own start page.
  const bringsRoot = readMappings(coming).some((mapping) => mapping.public === '/' && isTree(mapping));
  return (text) => targets.has(targetOf(text)) || (bringsRoot && text.endsWith(':/'));
}

/** The winning mapping of each target, as one string. */
function winners(texts: readonly string[]): string {
  const winning = new Map(texts.map((text) => [targetOf(text), text]));
  return JSON.stringify([...winning.values()].toSorted());
}

function targetOf(text: string): string {
  const mapping = parseMapping(text);
  return 'content' in mapping ? mappedTo(mapping) : text;
}

function lastOfEach(texts: readonly string[]): string[] {
  return [...new Set(texts.toReversed())].toReversed();
}
