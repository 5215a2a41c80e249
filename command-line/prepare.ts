import type { ServiceInfo } from '@repoless/contract/service.ts';
import type { SiteFile, SiteFileEntry } from '@repoless/contract/site-file.ts';
import type { SiteListEntry } from '@repoless/contract/site.ts';
import { commandLine as messages } from '@repoless/core/messages/en/command-line.ts';
import type { SetupPorts } from '@repoless/core/situation/ports.ts';
import { hasNoOrganization } from '@repoless/core/situation/call.ts';
import { createPace } from '@repoless/core/run/retry.ts';
import { type Environment, readEnvironment } from '@repoless/core/sites/environments.ts';
import { rowMappings } from '@repoless/core/sites/propose-rows.ts';
import { checkRows } from '@repoless/core/sites/row-problems.ts';
import type { Batch, Cell, SiteRow } from '@repoless/core/sites/rows.ts';
import { type CliContext, CommandFailure, type Options, UsageProblem } from './cli-context.ts';
import { connect, type Connection, must, retryingPorts } from './connect.ts';
import { cellLine, notKnown } from './explain.ts';
import { readSiteFile } from './site-files.ts';
import { type ParsedFile, invalidFile } from './site-file-text.ts';

export interface Prepared {
  readonly connection: Connection;
  readonly batches: readonly (FileBatch & { readonly ports: SetupPorts })[];
  readonly file: ParsedFile['value'];
  readonly info: ServiceInfo;
  /** All sites of the organization; undefined if the caller may not list them. */
  readonly sites: readonly SiteListEntry[] | undefined;
}

/** Reads the file and everything that the command needs to know; throws with the location of each error before anything is changed. */
export async function prepare(context: CliContext, options: Options): Promise<Prepared> {
  const parsed = await readSiteFile(context, options);
  const file = parsed.value;
  for (const name of [...options.sites, ...options.contentChanges]) {
    if (!file.sites.some((site) => site.name === name)) throw new UsageProblem(messages.usage.noSuchSite(name));
  }
  const connection = await connect(context, options, file.service);
  if (!connection.signedIn) throw new CommandFailure(messages.login.needed);
  const ports = retryingPorts(connection.ports(authorsOf(file)[0] ?? connection.service), createPace(context, context.signal));
  const info = must(await ports.service.info(), notKnown);
  const environments = await readEnvironments(context, connection, parsed.value, info, options.sites);
  const batches = batchesOf(file, info, environments, options).map((batch) => ({ ...batch, ports: connection.ports(batch.author) }));
  refuseProblems(parsed, batches);
  return { connection, batches, file, info, sites: await readSites(ports, file) };
}

/** Callers with roles on single sites only get the answer for a missing organization. */
async function readSites({ service }: SetupPorts, { organization, sites }: ParsedFile['value']): Promise<Prepared['sites']> {
  const all = await service.allSites(organization);
  if (all.state === 'failed' && all.failure.status === 403) return undefined;
  if (hasNoOrganization(all)) {
    for (const { name } of sites) if ((await service.configuration(organization, name)).state === 'known') return undefined;
  }
  return must(all, notKnown);
}

/** The technical account of each author, read from one of its sites. Empty without an authoring token. */
async function readEnvironments(
  context: CliContext,
  connection: Connection,
  file: ParsedFile['value'],
  info: ServiceInfo,
  chosen: readonly string[],
) {
  if (connection.reach === 'service') return [];
  const pace = createPace(context, context.signal);
  const read = await Promise.all(
    authorsOf(file, chosen).map(async (author): Promise<Environment[]> => {
      const entry = file.sites.find((site) => authorOf(file, site) === author);
      const page = entry?.contentRoot ?? '/content';
      const environment = await readEnvironment(retryingPorts(connection.ports(author), pace).authoring, page, info);
      return environment.state === 'known' ? [environment.value] : [];
    }),
  );
  return read.flat();
}

const FIELD_OF_CELL: Record<Cell | 'row', keyof SiteFileEntry | undefined> = {
  siteName: 'name',
  contentRoot: 'contentRoot',
  mappings: 'mappings',
  includes: 'includes',
  excludes: 'excludes',
  suffix: 'suffix',
  overlay: 'overlay',
  folders: 'folders',
  configurationPage: 'configurationPage',
  cloudConfiguration: 'cloudConfiguration',
  technicalAccount: 'technicalAccount',
  code: 'code',
  access: 'access',
  row: undefined,
};

function refuseProblems(parsed: ParsedFile, batches: readonly FileBatch[]): void {
  const locations = batches.flatMap(({ batch, rows }) =>
    [...checkRows(batch, rows)].flatMap(([name, problems]) =>
      problems.map(({ cell, index, message }) => {
        const field = FIELD_OF_CELL[cell];
        const entry = parsed.value.sites.findIndex((site) => site.name === name);
        const path = ['sites', entry, ...(field === undefined ? [] : [field]), ...(index === undefined ? [] : [index])];
        return parsed.locationOf(path, cellLine(message));
      }),
    ),
  );
  if (locations.length > 0) throw invalidFile(locations);
}

export interface FileBatch {
  readonly author: string;
  readonly batch: Batch;
  readonly rows: readonly SiteRow[];
}

/** The file's sites as rows, one batch for each author. `environments` has the technical accounts that the file omits. */
export function batchesOf(
  file: SiteFile,
  info: ServiceInfo,
  environments: readonly Environment[],
  { sites: chosen, contentChanges }: Pick<Options, 'sites' | 'contentChanges'>,
): FileBatch[] {
  const entries = file.sites.filter(({ name }) => chosen.length === 0 || chosen.includes(name));
  return authorsOf(file, chosen).map((author) => {
    const environment = environments.find((candidate) => candidate.author === author);
    const batch: Batch = {
      organization: file.organization,
      author,
      code: file.code,
      access: file.access,
      info,
      further: 'remove',
      environments,
      ...(file.cloudConfiguration === undefined ? {} : { baseConfiguration: file.cloudConfiguration }),
    };
    const account = file.technicalAccount ?? environment?.technicalAccount ?? '';
    const rows = entries.filter((entry) => authorOf(file, entry) === author).map((entry) => rowOf(entry, account, contentChanges));
    return { author, batch, rows };
  });
}

export function authorsOf(file: SiteFile, chosen: readonly string[] = []): string[] {
  const entries = file.sites.filter(({ name }) => chosen.length === 0 || chosen.includes(name));
  return [...new Set(entries.map((entry) => authorOf(file, entry)))];
}

/** The file is refused if neither it nor the site names an author. */
export function authorOf(file: SiteFile, entry: SiteFileEntry): string {
  return new URL(entry.author ?? file.author ?? '').origin;
}

function rowOf(entry: SiteFileEntry, account: string, contentChanges: readonly string[]): SiteRow {
  const { name, contentRoot, cloudConfiguration, code, access } = entry;
  const configurationPage = entry.configurationPage === false ? undefined : (entry.configurationPage ?? `${contentRoot}/configuration`);
  return {
    id: name,
    siteName: name,
    contentRoot,
    mappings: entry.mappings ?? rowMappings(contentRoot, configurationPage),
    technicalAccount: entry.technicalAccount ?? account,
    ...(entry.includes === false ? {} : { includes: entry.includes ?? [`${contentRoot}/`] }),
    ...(entry.excludes === undefined ? {} : { excludes: entry.excludes }),
    ...(entry.suffix === undefined ? {} : { suffix: entry.suffix }),
    ...(entry.overlay === undefined ? {} : { overlay: entry.overlay }),
    ...(entry.folders === undefined ? {} : { folders: entry.folders }),
    ...(configurationPage === undefined ? {} : { configurationPage }),
    ...(cloudConfiguration === undefined ? {} : { cloudConfiguration }),
    ...(code === undefined ? {} : { code }),
    ...(access === undefined ? {} : { access }),
    ...(contentChanges.includes(name) ? { replacesContent: true } : {}),
  };
}
