import { GitBranchName } from '@repoless/contract/code-check.ts';
import type { CodeSource } from '@repoless/contract/code-source.ts';
import { sanitizeRef } from '@repoless/contract/names.ts';
import type { SiteListEntry } from '@repoless/contract/site.ts';
import { createSyncPort } from '@repoless/core/api/sync-port.ts';
import { commandLine as messages } from '@repoless/core/messages/en/command-line.ts';
import type { ServicePort } from '@repoless/core/situation/ports.ts';
import { eachBounded, retry } from '@repoless/core/run/retry.ts';
import { failureOf, type Known } from '@repoless/core/situation/call.ts';
import type { SyncPort } from '@repoless/core/sync/ports.ts';
import { groupByRepository, type RepositoryGroup } from '@repoless/core/sync/repository-groups.ts';
import { type CliContext, CommandFailure, type Options, UsageProblem } from './cli-context.ts';
import { connect, must } from './connect.ts';
import { isOfNoService, notKnown } from './explain.ts';
import { readSiteFile } from './site-files.ts';

export interface PreparedSync {
  readonly organization: string;
  /** The branch as named by the hosts. */
  readonly ref: string;
  readonly groups: readonly RepositoryGroup[];
  readonly port: SyncPort;
  wait(milliseconds: number, signal: AbortSignal): Promise<void>;
}

/** Finds the repositories of the sites; throws for any problem before anything is started. */
export async function prepareSync(context: CliContext, options: Options): Promise<PreparedSync> {
  const { branch } = options;
  const ref = sanitizeRef(branch);
  if (ref === '' || !GitBranchName.safeParse(branch).success) throw new UsageProblem(messages.usage.branch(branch));
  const file = options.file === undefined ? undefined : (await readSiteFile(context, options)).value;
  const organization = options.organization ?? file?.organization;
  if (file !== undefined && organization !== file.organization)
    throw new UsageProblem(messages.usage.twoOrganizations(file.organization, organization ?? ''));
  if (organization === undefined) throw new UsageProblem(messages.usage.noOrganization);
  const connection = await connect(context, options, file?.service);
  if (!connection.signedIn) throw new CommandFailure(messages.login.needed);
  const { service, wait } = connection.ports(connection.service);
  const port = createSyncPort(connection.client);
  const named = options.sites.length > 0 ? options.sites : file?.sites.map(({ name }) => name);
  const again: Again = (read) => retry({ ports: { wait }, signal: context.signal }, read);
  const listed = await again(() => service.allSites(organization));
  // Callers with roles on single sites only may not list the others.
  const listing = failureOf(listed);
  const groups =
    listing === undefined || isOfNoService(listing) || named === undefined
      ? groupsOfListed(must(listed, notKnown), named)
      : await groupsOfSites({ service, port, again }, organization, named);
  if (groups.length === 0) throw new CommandFailure(messages.sync.none(organization));
  return { organization, ref, groups, port, wait };
}

/** The repositories of the named sites, or of all sites if none is named; throws if one of them is not registered. */
function groupsOfListed(listed: readonly SiteListEntry[], named: readonly string[] | undefined): RepositoryGroup[] {
  const all = groupByRepository(listed);
  if (named === undefined) return all;
  const missing = named.filter((name) => !listed.some((site) => site.name === name));
  if (missing.length > 0) throw new CommandFailure(messages.sync.notRegistered(missing));
  // The site that holds the secret of an external repository need not be among the named ones.
  return groupByRepository(listed.filter(({ name }) => named.includes(name))).map((group) => {
    const holder = all.find(({ key }) => key === group.key)?.holder;
    return { ...group, ...(holder === undefined ? {} : { holder }) };
  });
}

type Again = <T>(read: () => Promise<Known<T>>) => Promise<Known<T>>;

interface Reading {
  readonly service: Pick<ServicePort, 'held'>;
  readonly port: SyncPort;
  readonly again: Again;
}

/** The same, reading the repository of each site: from its configuration, or from its code status if the caller may only synchronize it. */
async function groupsOfSites(
  { service, port, again }: Reading,
  organization: string,
  named: readonly string[],
): Promise<RepositoryGroup[]> {
  const found = await eachBounded(named, READ_AT_ONCE, async (site): Promise<{ site: string; code: Known<CodeSource> }> => {
    const held = await again(() => service.held(organization, site));
    if (held.state === 'known' && held.value.config.code !== undefined)
      return { site, code: { state: 'known', value: held.value.config.code } };
    const code = await again(() => port.code(organization, site));
    if (code.state !== 'known') return { site, code };
    const { owner, repo } = code.value;
    return { site, code: { state: 'known', value: { owner, repo, source: { type: 'github', url: '' } } } };
  });
  const missing = found.flatMap(({ site, code }) => (code.state === 'missing' ? [site] : []));
  if (missing.length > 0) throw new CommandFailure(messages.sync.notRegistered(missing));
  return groupByRepository(found.map(({ site, code }) => ({ name: site, code: must(code, notKnown) })));
}

const READ_AT_ONCE = 4;
