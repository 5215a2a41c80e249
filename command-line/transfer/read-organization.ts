import { isObject } from '@repoless/core/history/json-place.ts';
import { failureOf } from '@repoless/core/run/failures.ts';
import { eachBounded } from '@repoless/core/run/retry.ts';
import { AT_ONCE } from '@repoless/core/sites/apply-rows.ts';
import { commandLine as messages } from '@repoless/core/messages/en/command-line.ts';
import { unknownMembers } from '@repoless/upstream/document.ts';
import { type CliContext, CommandFailure, type CommandResult, type Options, UsageProblem } from '../cli-context.ts';
import { connect } from '../connect.ts';
import { failureLine } from '../explain.ts';
import { writeNamedFile } from '../write-file.ts';
import { carriedOf, type Document, profileOf } from './carried-document.ts';
import { type DocumentService, openDocuments } from './document-service.ts';
import type { Left, OrganizationFile } from './organization-file.ts';
import { leftLines } from './report.ts';

/**
 * Writes everything of an organization that another service can take, in the order of the transfer. Names credentials, but never writes
 * their values.
 */
export async function exportOrganization(context: CliContext, options: Options): Promise<CommandResult> {
  const { organization, from } = options;
  if (organization === undefined) throw new UsageProblem(messages.usage.noOrganization);
  const connection = await connect(context, { ...options, ...(from === undefined ? {} : { service: from }) });
  if (!connection.signedIn) throw new CommandFailure(messages.login.needed);
  const service = await openDocuments(context, connection, organization);
  const read = (of: string, path: string) => readOne(service, of, path);
  const each = async (names: readonly string[]) => {
    const of = await eachBounded(names, options.concurrency ?? AT_ONCE, (one) => read(one, `/${one}`), context.signal);
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
    profiles: profiles.map(entryOf),
    sites: sites.map(entryOf),
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

/** Undefined: removed meanwhile. Without what could not be read, the file would claim that it is missing. */
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

function entryOf({ of, document }: Exported) {
  // Safe: it was parsed as JSON.
  return { name: of.replace(/^[a-z]+\//, ''), ...document } as OrganizationFile['sites'][number];
}
