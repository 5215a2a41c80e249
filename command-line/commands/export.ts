import type { AdminAccess } from '@repoless/contract/access.ts';
import { parseDeliveryAddress } from '@repoless/contract/addresses.ts';
import type { CodeSource } from '@repoless/contract/code-source.ts';
import { sameValue } from '@repoless/contract/json.ts';
import { configurationPage, contentRoot } from '@repoless/contract/mappings.ts';
import type { SiteFile, SiteFileEntry } from '@repoless/contract/site-file.ts';
import type { Site } from '@repoless/contract/site.ts';
import { commandLine as messages } from '@repoless/core/messages/en/command-line.ts';
import { codeChoice, repositoryKey } from '@repoless/core/situation/code-choice.ts';
import { failureOf } from '@repoless/core/situation/call.ts';
import { AT_ONCE, createPace, mapConcurrently } from '@repoless/core/run/retry.ts';
import { rowMappings } from '@repoless/core/sites/propose-rows.ts';
import { type CliContext, CommandFailure, type CommandResult, type Options, UsageProblem } from '../cli-context.ts';
import { connect, must, retryingPorts } from '../connect.ts';
import { failureLine, notKnown } from '../explain.ts';
import { mostFrequent } from '../site-file-text.ts';
import { writeNamedFile, writeSiteFile } from '../site-files.ts';
import { isObject } from '@repoless/core/history/json-values.ts';
import { carriedOf, type Document, type Left, type OrganizationFile, profileOf, leftLines } from '../transfer/carried-document.ts';
import { type DocumentService, openDocuments } from '../transfer/document-service.ts';
import { unknownMembers } from '@repoless/upstream/document.ts';

/**
 * Writes the file that describes what the service stores: applying it changes nothing. With `--from`, everything that another service can
 * take.
 */
export async function exportSites(context: CliContext, options: Options): Promise<CommandResult> {
  if (options.from !== undefined) return exportOrganization(context, options);
  const { organization } = options;
  if (organization === undefined) throw new UsageProblem(messages.usage.noOrganization);
  const connection = await connect(context, options);
  if (!connection.signedIn) throw new CommandFailure(messages.login.needed);
  const pace = createPace(context, context.signal);
  const ports = connection.ports(connection.service);
  const { service } = ports;
  const { sites: named } = options;
  // Callers with a role on single sites only may not read the list.
  const names =
    named.length > 0
      ? [...new Set(named)].toSorted()
      : must(await retryingPorts(ports, pace).service.allSites(organization), notKnown).map(({ name }) => name);
  const read = await mapConcurrently(names, options.concurrency ?? AT_ONCE, async (name) => ({
    name,
    configurations: await pace.call(
      () => service.siteConfigurations(organization, name),
      () => undefined,
    ),
  }));
  const missing = read.flatMap(({ name, configurations }) => (configurations.state === 'missing' ? [name] : []));
  if (named.length > 0 && missing.length > 0) throw new UsageProblem(messages.export.noSuchSites(missing, organization));
  // A file without them would claim that existing sites are missing.
  const unread = read.flatMap(({ name, configurations }) =>
    configurations.state === 'known' ? [] : [messages.export.unread(name, failureLine(failureOf(configurations)))],
  );
  if (unread.length > 0) throw new CommandFailure([...unread, messages.export.nothing].join('\n'));
  const sites = read.map(({ configurations }) => must(configurations, notKnown).config);
  const describedSites = sites.flatMap((site) => describe(site) ?? []);
  const selected = describedSites.filter((entry) => isSelected(entry, options));
  const describable = new Set(describedSites.map(({ site }) => site.name));
  for (const { name } of sites) if (!describable.has(name)) context.err(`${messages.export.skipped(name)}\n`);
  // Callers who name a site rely on its being in the file: `apply --prune` removes the others.
  const written = new Set(selected.map(({ site }) => site.name));
  const left = named.filter((name) => !written.has(name));
  if (left.length > 0) throw new CommandFailure(messages.export.leftOut(left));
  if (selected.length === 0) throw new CommandFailure(messages.export.none(organization));
  return writeSiteFile(context, options, fileOf(organization, connection.service, selected), []);
}

interface SiteOfFile {
  readonly site: Site;
  readonly root: string;
  readonly author: string;
  readonly code: CodeSource;
  readonly access: AdminAccess;
}

function describe(site: Site): SiteOfFile | undefined {
  const root = contentRoot(site.public?.paths?.mappings ?? []);
  const author = parseDeliveryAddress(site.content?.source.url ?? '')?.author;
  if (root === undefined || author === undefined || site.code === undefined) return undefined;
  return { site, root, author, code: site.code, access: site.access?.admin ?? {} };
}

function isSelected({ site, author, code }: SiteOfFile, options: Options): boolean {
  const choice = codeChoice(code);
  const { sites, code: selectedCode } = options;
  return (
    (options.author === undefined || author === options.author.replace(/\/+$/, '')) &&
    (selectedCode === undefined ||
      (choice !== undefined && repositoryKey(choice) === repositoryKey({ type: choice.type, ...selectedCode }))) &&
    (sites.length === 0 || sites.includes(site.name))
  );
}

function fileOf(organization: string, service: string, describedSites: readonly SiteOfFile[]): SiteFile {
  const author = mostFrequent(describedSites.map((entry) => entry.author));
  const code = mostFrequent(describedSites.map((entry) => entry.code));
  const access = mostFrequent(describedSites.map((entry) => entry.access));
  return {
    version: 1,
    organization,
    service,
    author,
    code,
    access,
    sites: describedSites.map((entry) => entryOf(entry, { author, code, access })),
  };
}

/** A site's values that differ from the file's defaults and from those derived from its content root. */
function entryOf({ site, root, author, code, access }: SiteOfFile, common: Pick<SiteOfFile, 'author' | 'code' | 'access'>): SiteFileEntry {
  const { mappings = [], includes, excludes } = site.public?.paths ?? {};
  const { source, overlay } = site.content ?? {};
  const page = configurationPage(mappings);
  const usual = `${root}/configuration`;
  return {
    name: site.name,
    contentRoot: root,
    ...(page === usual ? {} : { configurationPage: page ?? false }),
    ...(sameValue(mappings, rowMappings(root, page)) ? {} : { mappings }),
    ...(sameValue(includes, [`${root}/`]) ? {} : { includes: includes ?? false }),
    ...(excludes === undefined ? {} : { excludes }),
    ...(source?.suffix === undefined || source.suffix === '.html' ? {} : { suffix: source.suffix }),
    ...(overlay === undefined ? {} : { overlay }),
    ...(site.folders === undefined ? {} : { folders: site.folders }),
    ...(author === common.author ? {} : { author }),
    ...(sameValue(code, common.code) ? {} : { code }),
    ...(sameValue(access, common.access) ? {} : { access }),
  };
}

/**
 * Writes everything of an organization that another service can take, in the order of the transfer. Names credentials, but never writes
 * their values.
 */
async function exportOrganization(context: CliContext, options: Options): Promise<CommandResult> {
  const { organization, from } = options;
  if (organization === undefined) throw new UsageProblem(messages.usage.noOrganization);
  const connection = await connect(context, { ...options, ...(from === undefined ? {} : { service: from }) });
  if (!connection.signedIn) throw new CommandFailure(messages.login.needed);
  const service = await openDocuments(context, connection, organization);
  const read = (of: string, path: string) => readOne(service, of, path);
  const each = async (names: readonly string[]) => {
    const of = await mapConcurrently(names, options.concurrency ?? AT_ONCE, (one) => read(one, `/${one}`), context.signal);
    if (context.signal.aborted) throw new CommandFailure(messages.stopped);
    return of.filter((one) => one !== undefined);
  };
  const settings = await read('organization', '');
  const known = await service.names('sites');
  const missing = options.sites.filter((name) => !known.includes(name));
  if (missing.length > 0) throw new UsageProblem(messages.export.noSuchSites(missing, organization));
  const isAll = options.sites.length === 0;
  const found = await each(known.filter((name) => isAll || options.sites.includes(name)).map((name) => `sites/${name}`));
  const sites = found.toSorted(firstOfItsCode);
  const extended = new Set(sites.map(({ document }) => profileOf(document)));
  const profiles = await each(
    (await service.names('profiles')).filter((name) => isAll || extended.has(name)).map((name) => `profiles/${name}`),
  );
  const all = [settings, ...profiles, ...sites].filter((one) => one !== undefined);
  const file: OrganizationFile = {
    version: 1,
    organization,
    from: connection.service,
    settings: (settings?.document ?? {}) as OrganizationFile['settings'],
    profiles: profiles.map(exportedEntry),
    sites: sites.map(exportedEntry),
    notCarried: all.flatMap(({ left }) => left),
  };
  return writeNamedFile(context, options, file, {
    count: file.sites.length,
    notes: leftLines(file.notCarried),
    written: (path) => messages.transfer.written(path, file.sites.length, file.profiles.length),
  });
}

interface Exported {
  readonly of: string;
  readonly document: Document;
  readonly created: string;
  readonly left: readonly Left[];
}

/** Undefined: removed in the meantime. Without what could not be read, the file would claim that it is missing. */
async function readOne(service: DocumentService, of: string, path: string): Promise<Exported | undefined> {
  const stored = await service.read(path);
  if (stored.state === 'missing' && path !== '') return undefined;
  if (stored.state !== 'known')
    throw new CommandFailure([messages.export.unread(of, failureLine(failureOf(stored))), messages.export.nothing].join('\n'));
  const { document, warnings } = stored.value;
  const listed = await listedCredentials(service, path, document);
  const { document: carried, left } = carriedOf(of, { ...document, ...listed.known });
  const unknown = warnings.flatMap((warning) => unknownMembers(warning) ?? []);
  return {
    of,
    document: carried,
    created: String(document['created']),
    left: [
      ...left,
      ...(listed.isUnread ? [{ of, kind: 'unread-keys', name: '' } as const] : []),
      ...unknown.map((name): Left => ({ of, kind: 'unknown-members', name })),
    ],
  };
}

const LISTS = ['secrets', 'apiKeys', 'tokens'] as const;

/** A document of the hosted service contains its credentials' names; our own service lists them separately. */
async function listedCredentials(service: DocumentService, path: string, document: Document) {
  if (service.isHosted) return { known: {}, isUnread: false };
  const known: Record<string, unknown> = {};
  let isUnread = false;
  for (const name of LISTS) {
    if (name === 'tokens' && path === '') continue;
    const answer = await service.list(`${path}/${name}.json`);
    if (answer.state === 'failed') isUnread = true;
    if (answer.state === 'known') known[name] = { ...Object(document[name]), ...Object(answer.value) };
  }
  return { known, isUnread };
}

/**
 * First the site that holds the secret of a repository, which others use, then the one that the repository is named after; then the oldest.
 */
function firstOfItsCode(one: Exported, other: Exported): number {
  return rank(one) - rank(other) || (one.created < other.created ? -1 : one.created > other.created ? 1 : one.of < other.of ? -1 : 1);
}

function rank({ of, document }: Exported): number {
  const code = isObject(document['code']) ? document['code'] : {};
  const source = isObject(code['source']) ? code['source'] : {};
  if (source['secretId'] !== undefined) return 0;
  return `sites/${String(code['repo'])}` === of ? 1 : 2;
}

function exportedEntry({ of, document }: Exported) {
  // Safe: it was parsed as JSON.
  return { name: of.replace(/^[a-z]+\//, ''), ...document } as OrganizationFile['sites'][number];
}
