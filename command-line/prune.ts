import type { SiteFile } from '@repoless/contract/site-file.ts';
import type { SiteListEntry } from '@repoless/contract/site.ts';
import { createRemovalPort } from '@repoless/core/api/organization-ports.ts';
import { AT_ONCE, mapConcurrently, retry } from '@repoless/core/run/retry.ts';
import {
  type FormerSite,
  type PlannedRemoval,
  planRemovals,
  type ReadyRemoval,
  type RemovalBlock,
} from '@repoless/core/sites/plan-removals.ts';
import { type RemovedOne, removeSites } from '@repoless/core/sites/remove-sites.ts';
import { rowSite } from '@repoless/core/sites/row-site.ts';
import { commandLine as messages } from '@repoless/core/messages/en/command-line.ts';
import { siteAddress } from '@repoless/contract/addresses.ts';
import { DEFAULT_REF } from '@repoless/contract/names.ts';
import { hostDomains, type ServiceInfo } from '@repoless/contract/service.ts';
import { type Call, failureOf, type Known } from '@repoless/core/situation/call.ts';
import { type CliContext, CommandFailure, type Options, UsageProblem } from './cli-context.ts';
import { must } from './connect.ts';
import { failureLine, notKnown, problemLine } from './explain.ts';
import { authorOf, type Prepared } from './prepare.ts';
import { readSiteFile } from './site-files.ts';
import type { Change, Removed } from './planned-change.ts';
import type { SetupPorts } from '@repoless/core/situation/ports.ts';
import { authorOf as authorOfEntry } from '@repoless/core/sites/organization-sites.ts';

/**
 * The sites that previous files named and this file doesn't; undefined without `--prune`. Nothing else is ever removed: other sites of the
 * organization are someone else's.
 */
export async function readFormerSites(
  context: CliContext,
  options: Options,
  { file, sites }: Pick<Prepared, 'file' | 'sites'>,
): Promise<readonly FormerSite[] | undefined> {
  if (options.previous === undefined) return undefined;
  if (file.sites.length === 0) throw new UsageProblem(messages.prune.emptyFile);
  const formers = new Map<string, FormerSite>();
  for (const name of options.previous) {
    const { value: previous } = await readSiteFile(context, { ...options, file: name });
    if (previous.organization !== file.organization)
      throw new UsageProblem(messages.prune.twoOrganizations(name, previous.organization, file.organization));
    if (options.service === undefined && file.service !== undefined && previous.service !== undefined && previous.service !== file.service)
      throw new UsageProblem(messages.prune.twoServices(name, previous.service, file.service));
    for (const former of formersOf(previous)) if (!formers.has(former.siteName)) formers.set(former.siteName, former);
  }
  // Without the list of sites, their dependencies are unknown.
  if (sites === undefined) throw new CommandFailure(messages.prune.notListed);
  for (const { name } of file.sites) formers.delete(name);
  return [...formers.values()];
}

function formersOf(previous: SiteFile): FormerSite[] {
  return previous.sites.map((entry) => ({
    siteName: entry.name,
    author: authorOf(previous, entry),
    contentRoot: entry.contentRoot,
    code: entry.code ?? previous.code,
    ...(entry.cloudConfiguration === undefined ? {} : { cloudConfiguration: entry.cloudConfiguration }),
  }));
}

/** What would be removed once the file is applied. Changes nothing. */
export async function planPrune(context: CliContext, prepared: Prepared, formers: readonly FormerSite[]): Promise<PlannedRemoval[]> {
  const sites = must(await withBases(context, prepared, sitesAfter(prepared), formers), notKnown);
  return planRemovals(readingOf(context, prepared, sites), formers);
}

/** The sites with their content roots, which identify a base site. */
async function withBases(
  { signal }: CliContext,
  { connection, file, info }: Prepared,
  sites: readonly SiteListEntry[],
  formers: readonly FormerSite[],
): Promise<Known<readonly SiteListEntry[]>> {
  const reading = { ports: connection.ports(connection.service), signal, organization: file.organization, info };
  return await withMappings(
    reading,
    sites,
    formers.map(({ author }) => author),
  );
}

function readingOf({ signal }: CliContext, { connection, file, info }: Prepared, sites: readonly SiteListEntry[]) {
  const { reach, client, ports } = connection;
  return {
    organization: file.organization,
    info,
    reach,
    inheriting: 'of-file' as const,
    sites,
    removal: createRemovalPort(client),
    signal,
    ports,
  };
}

/** The sites of the organization after the file is applied. */
function sitesAfter({ sites = [], batches }: Prepared): SiteListEntry[] {
  const named = batches.flatMap(({ batch, rows }) =>
    rows.map((row): SiteListEntry => ({ name: row.siteName, path: '', ...rowSite(batch, row) })),
  );
  const names = new Set(named.map(({ name }) => name));
  return [...sites.filter(({ name }) => !names.has(name)), ...named];
}

export interface Pruned {
  readonly site: string;
  /** `stopped`: left unchanged. */
  readonly state: 'removed' | 'failed' | 'stopped';
  readonly problem?: string;
  readonly calls: readonly Call[];
}

/**
 * Removes the sites, one after the other. Skips those that are already missing, so that an interrupted run can be continued. If the sites
 * cannot be listed, removes none and reports why for each: other sites have already been written.
 */
export async function prune(context: CliContext, prepared: Prepared, formers: readonly FormerSite[]): Promise<Pruned[]> {
  const { connection, file } = prepared;
  const { organization } = file;
  const { signal } = context;
  const ports = connection.ports(connection.service);
  const all = await retry({ ports, signal }, () => ports.service.allSites(organization));
  const listed = all.state === 'known' ? await withBases(context, prepared, all.value, formers) : all;
  if (listed.state !== 'known') {
    const problem = failureLine(failureOf(listed));
    return formers.map(({ siteName: site }) => ({ site, state: 'failed', problem, calls: [] }));
  }
  const sites = listed.value;
  const planned = await planRemovals(readingOf(context, prepared, sites), formers);
  const removed = await removeSites({ organization, sites, signal, ports: connection.ports }, planned);
  return removed.flatMap(prunedOf);
}

function prunedOf({ former: { siteName: site }, end, calls }: RemovedOne): Pruned[] {
  switch (end.state) {
    case 'gone':
      return [];
    case 'removed':
    case 'stopped':
      return [{ site, state: end.state, calls }];
    case 'blocked':
      return [{ site, state: 'failed', problem: blockLine(end.block), calls }];
    case 'failed':
      return [{ site, state: 'failed', problem: problemLine(end.problem), calls }];
    default:
      return end satisfies never;
  }
}

/** A removal as a change of the plan; none if the site is already missing. */
export function removalChange(info: ServiceInfo, organization: string, planned: PlannedRemoval): Change[] {
  if (planned.state === 'gone') return [];
  const { siteName: site } = planned.former;
  if (planned.state === 'blocked') {
    const problems = [{ field: 'row', sentence: blockLine(planned.block) }];
    return [{ site, action: 'blocked', tried: true, steps: [], problems, consequences: [] }];
  }
  const removes = removedOf(info, organization, planned);
  const { consequences } = planned;
  return [{ site, action: 'remove', tried: planned.untried === undefined, steps: [], problems: [], consequences, removes }];
}

function removedOf(info: ServiceInfo, org: string, { former, productionHost, secrets, apiKeys, versions, page }: ReadyRemoval): Removed {
  const host = { ref: DEFAULT_REF, site: former.siteName, org };
  return {
    preview: siteAddress(hostDomains(info), 'preview', host),
    live: siteAddress(hostDomains(info), 'live', host),
    ...(productionHost === undefined ? {} : { productionHost }),
    secrets,
    apiKeys,
    // It is unknown whether versions survive a removal on the hosted service.
    versionsKept: info.hosted === undefined ? versions : 0,
    ...(page === undefined ? {} : { page }),
  };
}

/** Why a site is not removed, and what to do. */
function blockLine(block: RemovalBlock): string {
  switch (block.kind) {
    case 'other-site':
      return messages.prune.otherSite;
    case 'base':
      return messages.prune.base(block.sites);
    case 'holds-secret':
      return messages.prune.holdsSecret(block.sites);
    case 'failed':
      return failureLine(block.failure);
    default:
      return block satisfies never;
  }
}

interface Reading {
  readonly ports: SetupPorts;
  readonly signal: AbortSignal;
  readonly organization: string;
  readonly info: Pick<ServiceInfo, 'hosted'>;
}

/**
 * The sites with their content roots. The hosted service's list does not have them, so sites that get their content from one of the authors
 * are read. If one cannot be read, dependencies are unknown.
 */
export async function withMappings(
  { ports, signal, organization, info }: Reading,
  sites: readonly SiteListEntry[],
  authors: readonly string[],
): Promise<Known<readonly SiteListEntry[]>> {
  if (info.hosted === undefined) return { state: 'known', value: sites };
  const isRelated = (site: SiteListEntry) => site.public === undefined && authors.includes(authorOfEntry(site) ?? '');
  const read = await mapConcurrently(sites, AT_ONCE, async (site): Promise<Known<SiteListEntry>> => {
    if (!isRelated(site)) return { state: 'known', value: site };
    const stored = await retry({ ports, signal }, () => ports.service.siteConfigurations(organization, site.name));
    if (stored.state !== 'known') return stored;
    const { public: mapped } = stored.value.config;
    return { state: 'known', value: { ...site, ...(mapped === undefined ? {} : { public: mapped }) } };
  });
  const failed = read.find((one) => one.state === 'failed');
  // Sites removed in the meantime depend on nothing.
  return failed ?? { state: 'known', value: read.flatMap((one) => (one.state === 'known' ? [one.value] : [])) };
}
