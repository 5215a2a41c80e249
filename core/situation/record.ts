import { SHEET_TYPE } from '@repoless/contract/authoring.ts';
import type { VersionEntry } from '@repoless/contract/history.ts';
import { mappedPage } from '../plan/choices.ts';
import type { Step, StepId } from '../plan/plan.ts';
import type { SetupPorts } from './ports.ts';
import { VERSION_NAMES } from './site-calls.ts';
import type { CreatedPage, Previous, Situation } from './situation.ts';

const WRITING: ReadonlySet<StepId> = new Set<StepId>([
  'configuration-page',
  'register-site',
  'map-paths',
  'set-access',
  'cloud-configuration',
  'project-type',
]);

/** Whether setup continues with a record although the site was written since: by an earlier part of setup, or by someone else. */
export function mayBeOutdated(
  record: Previous | undefined,
  { site, target }: Pick<Situation, 'site' | 'target'>,
  steps: readonly Step[],
): record is Previous {
  if (record === undefined || site.state !== 'known' || site.value.version === record.siteVersion) return false;
  const isOfSite = record.org === target?.organization && record.site === target.siteName;
  return isOfSite && steps.some(({ id, state }) => WRITING.has(id) && state.kind !== 'done');
}

const OWN: ReadonlySet<string | undefined> = new Set(Object.values(VERSION_NAMES));

/** A setup stored this version. */
export function isOfSetup({ name }: VersionEntry): boolean {
  return OWN.has(name);
}

/** For a site that did not exist when the record was written: how many versions are searched for its creation. */
const MOST = 10;

/**
 * The versions of the site since its record was written, oldest first. Undefined if unknown: old ones are removed, or there are too many.
 */
export async function readSince(ports: Pick<SetupPorts, 'service'>, record: Previous): Promise<readonly VersionEntry[] | undefined> {
  const list = await ports.service.versions(record.org, record.site);
  return list.state === 'known' ? versionsSince(ports, record, list.value.versions) : undefined;
}

/** The same for all versions of the site. */
export async function versionsSince(
  { service }: Pick<SetupPorts, 'service'>,
  { org, site, siteVersion }: Previous,
  versions: readonly VersionEntry[],
): Promise<readonly VersionEntry[] | undefined> {
  const all = versions.toSorted((one, other) => one.version - other.version);
  if (siteVersion !== null) {
    const since = all.filter(({ version }) => version > siteVersion);
    return since[0]?.version === siteVersion + 1 ? since : undefined;
  }
  const since: VersionEntry[] = [];
  for (const entry of all.toReversed()) {
    if (since.length === MOST) return undefined;
    const stored = await service.version(org, site, entry.version);
    if (stored.state === 'failed') return undefined;
    // Another site of that name was removed with this version.
    if (stored.state === 'missing') return since;
    since.unshift(entry);
  }
  return since[0]?.version === 1 ? since : undefined;
}

/**
 * The version of the site that an undo must restore, if it isn't that of the record: someone else created or changed the site between the
 * record and setup's first write. Undefined if the record applies, or it is unknown.
 */
export function siteBefore({ siteSince = [] }: Pick<Situation, 'siteSince'>): number | undefined {
  const own = siteSince.findIndex(isOfSetup);
  if (own === 0) return undefined;
  return siteSince.at(own === -1 ? -1 : own - 1)?.version;
}

/**
 * The paths of the configuration pages that applies created. A record that does not name them can only mean the page that the
 * site maps now, and only if that was not mapped before.
 */
export function createdPagePaths({
  settings,
  site,
  previousSite,
}: Pick<Situation, 'settings' | 'site' | 'previousSite'>): readonly string[] {
  const { previous, siteRoot } = settings;
  if (previous?.configurationPages !== undefined) return previous.configurationPages;
  if (previous?.configurationPageCreated !== true || site.state !== 'known') return [];
  if (previous.siteVersion !== null && previousSite?.state !== 'known') return [];
  const mapped = mappedPage(site.value.config);
  const before = previousSite?.state === 'known' ? mappedPage(previousSite.value) : undefined;
  return mapped === undefined || mapped === before || !mapped.startsWith(`${siteRoot}/`) ? [] : [mapped];
}

/**
 * Whether an undo removes what is at the path of a configuration page that a setup by `by` recorded. The record is written before the page
 * is created, so someone else may have created it: such a page stays, as do one without a creator, one that someone filled, and another
 * kind of page.
 */
export function isOwnPage({ page }: Pick<CreatedPage, 'page'>, { by }: Pick<Previous, 'by'>): boolean {
  if (page.state !== 'known') return true;
  const { resourceType, isFilled, createdBy } = page.value;
  return isSpreadsheet(resourceType) && isFilled !== true && createdBy?.toLowerCase() === by.toLowerCase();
}

/** A page without a type could not be read completely; only a page of another type is wrong. */
export function isSpreadsheet(resourceType: string | undefined): boolean {
  return resourceType === undefined || resourceType.includes(SHEET_TYPE);
}
