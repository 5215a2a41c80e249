import { CONFIGURATION_PATH, readMappings } from '@repoless/contract/mappings.ts';
import { includesAll, type Site } from '@repoless/contract/site.ts';
import { sameValue } from '@repoless/contract/json.ts';
import { type CodeChoice, codeChoice } from '../situation/code-choice.ts';
import type { Choices, Situation, Target } from '../situation/situation.ts';
import { targetOfSituation } from '../situation/target.ts';

export function proposeChoices(situation: Situation): Choices {
  const { settings } = situation;
  const target = targetOfSituation(situation);
  const configurationPage = proposeConfigurationPage(situation);
  const root = settings.siteRoot;
  return {
    ...target,
    configurationPage,
    code: proposeCode(situation, target),
    administrators: proposeAdministrators(situation),
    technicalAccount: settings.technicalAccount.value ?? accountOfBase(situation),
    mappings: [`${root}/:/`, `${configurationPage}:${CONFIGURATION_PATH}`],
    ...proposeIncludes(situation, root),
  };
}

/** A site with mappings but without a list of includes publishes all of its content: a list would exclude some of it. */
function proposeIncludes({ site }: Situation, root: string): Pick<Choices, 'includes'> {
  const paths = site.state === 'known' ? site.value.config.public?.paths : undefined;
  return includesAll(paths) ? {} : { includes: [`${root}/`] };
}

/** All configurations of an authoring environment show the same account: its own. */
function accountOfBase({ baseConfiguration, info }: Situation): string {
  const shown = baseConfiguration?.[info.technicalAccountProperty];
  return typeof shown === 'string' ? shown : '';
}

/** The mapped page if it is in this site, otherwise the one in the settings. */
export function proposeConfigurationPage({ settings, site }: Pick<Situation, 'settings' | 'site'>): string {
  const mapped = site.state === 'known' ? mappedPage(site.value.config) : undefined;
  if (mapped?.startsWith(`${settings.siteRoot}/`) === true && !mapped.endsWith('/')) return mapped;
  return settings.configurationPage.value ?? `${settings.siteRoot}/configuration`;
}

/** The site's own code source, otherwise that of the organization's other sites, otherwise the repository in the settings. */
function proposeCode(situation: Situation, { organization }: Target): CodeChoice {
  const own = situation.site.state === 'known' ? codeChoice(situation.site.value.config.code) : undefined;
  if (own !== undefined) return own;
  const sibling = codeChoice(situation.siblingCode);
  if (sibling !== undefined) return sibling.type === 'byogit' ? { ...sibling, holdsSecret: false } : sibling;
  return { type: 'github', owner: organization, repo: repositoryOf(situation) ?? organization };
}

/** Before the switch to repoless, the site name of the Edge Delivery configuration is the name of the repository. */
function repositoryOf({ settings, info }: Situation): string | undefined {
  const switched = settings.projectType.value === info.repolessProjectType;
  const repository = settings.siteName.value;
  return !switched && repository !== undefined && /^[a-zA-Z0-9_.-]+$/.test(repository) ? repository : undefined;
}

/** Those of the site; if it has none (or doesn't exist yet), the organization's and the caller. */
function proposeAdministrators(situation: Situation): string[] {
  const ofSite = situation.site.state === 'known' ? (situation.site.value.config.access?.admin?.role?.admin ?? []) : [];
  if (ofSite.length > 0) return withoutDuplicates(ofSite);
  const caller = situation.profile.state === 'known' ? [situation.profile.value.email] : [];
  const users = situation.organization.state === 'known' ? (situation.organization.value.users ?? []) : [];
  const ofOrganization = users.filter((user) => user.roles.includes('admin')).map((user) => user.email);
  return withoutDuplicates([...ofOrganization, ...caller]);
}

/** Keeps the first of names that differ only in case. */
export function withoutDuplicates(names: readonly string[]): string[] {
  const seen = new Set<string>();
  return names.filter((name) => seen.size < seen.add(name.toLowerCase()).size);
}

/** The content path that a site maps to its configuration sheet, as written; of several the last, because it wins. */
export function mappedPage(site: Site): string | undefined {
  return readMappings(site.public?.paths?.mappings ?? []).findLast((mapping) => mapping.public === CONFIGURATION_PATH)?.content;
}

/**
 * What a person edited; everything else is proposed again with each reading, so that concurrent changes are preserved. Choices from a file
 * decide everything.
 */
export interface Edits extends Partial<Omit<Choices, 'administrators' | 'secret'>> {
  /** The people added and removed, or the complete list. */
  readonly administrators?: MemberEdits | readonly string[];
  /** Undefined if a pasted secret was removed again. */
  readonly secret?: Choices['secret'] | undefined;
}

export interface MemberEdits {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

export const NO_EDITS: Edits = {};

export function withEdits(proposed: Choices, edits: Edits): Choices {
  const { administrators, secret, ...others } = edits;
  return {
    ...proposed,
    ...others,
    ...(secret === undefined ? {} : { secret }),
    ...(administrators === undefined
      ? {}
      : { administrators: isList(administrators) ? administrators : edited(proposed.administrators, administrators) }),
  };
}

export function edited(names: readonly string[], { added, removed }: MemberEdits): string[] {
  return [...withoutNames(names, [...removed, ...added]), ...added];
}

/** Names except others, ignoring case. */
export function withoutNames(names: readonly string[], others: readonly string[]): string[] {
  const left = new Set(others.map((name) => name.toLowerCase()));
  return names.filter((name) => !left.has(name.toLowerCase()));
}

export function isList(administrators: MemberEdits | readonly string[]): administrators is readonly string[] {
  return Array.isArray(administrators);
}

export function editsOf(shown: Choices, next: Choices): Edits {
  const administrators = membersOf(shown.administrators, next.administrators);
  return {
    ...(shown.organization === next.organization ? {} : { organization: next.organization }),
    ...(shown.siteName === next.siteName ? {} : { siteName: next.siteName }),
    ...(shown.configurationPage === next.configurationPage ? {} : { configurationPage: next.configurationPage }),
    ...(sameValue(shown.code, next.code) ? {} : { code: next.code }),
    ...(shown.secret === next.secret ? {} : { secret: next.secret }),
    ...(administrators === undefined ? {} : { administrators }),
    ...(shown.technicalAccount === next.technicalAccount ? {} : { technicalAccount: next.technicalAccount }),
    ...(sameValue(shown.mappings, next.mappings) ? {} : { mappings: next.mappings }),
    ...(sameValue(shown.includes, next.includes) ? {} : { includes: next.includes }),
  };
}

/**
 * Combines edits; later ones win for the same subject. `proposed` are the administrators without any edit. Reverting one's own edit leaves
 * no edit, so that other people's changes to that person count.
 */
export function addEdits(earlier: Edits, later: Edits, proposed: readonly string[]): Edits {
  const [before, after] = [earlier.administrators, later.administrators];
  if (before === undefined || after === undefined) return { ...earlier, ...later };
  if (isList(after)) return { ...earlier, ...later };
  if (isList(before)) return { ...earlier, ...later, administrators: edited(before, after) };
  const notProposed = withoutNames(after.removed, proposed);
  const isBack = withoutNames(before.removed, withoutNames(before.removed, proposed));
  const administrators = {
    added: edited(before.added, { added: withoutNames(after.added, isBack), removed: after.removed }),
    removed: edited(before.removed, { added: withoutNames(after.removed, notProposed), removed: after.added }),
  };
  return { ...earlier, ...later, administrators };
}

/** Edits without what a completed plan has stored with the site, from where it is read from now on. A secret is not stored there. */
export function withoutStored(edits: Edits): Edits {
  const { administrators: _members, code: _code, secret: _secret, ...remaining } = edits;
  return remaining;
}

function membersOf(shown: readonly string[], next: readonly string[]): MemberEdits | undefined {
  const edits = { added: withoutNames(next, shown), removed: withoutNames(shown, next) };
  return edits.added.length === 0 && edits.removed.length === 0 ? undefined : edits;
}
