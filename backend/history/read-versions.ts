import { GRANTS, type Permission } from '@repoless/contract/access.ts';
import type { ErrorCode } from '@repoless/contract/errors.ts';
import type { VersionEntry, VersionList } from '@repoless/contract/history.ts';
import { defined } from '@repoless/contract/json.ts';
import type { z } from 'zod';
import { permit, unclaimed } from '../access/permit.ts';
import { rolesOf } from '../access/roles.ts';
import { changeDocument, requestOf } from '../changes/change-document.ts';
import type { Change, Document, DocumentCall, DocumentKind, Named, Sent, StoredDocument } from '../changes/change.ts';
import { type Context, linkTo, type Outcome, pageOf, type Permitted } from '../domain/context.ts';
import { etagOf } from '../domain/documents.ts';
import { bodyInvalid, Refusal } from '@repoless/contract/refusal.ts';
import { problemsOf } from '@repoless/contract/value-problems.ts';
import type { Reads } from '../domain/ports.ts';
import { siteNotFound } from '../sites/find-site.ts';
import type { Subject, VersionData, VersionEntry as StoredVersionEntry } from './ports.ts';
import type { Caller } from '../sessions/identity.ts';

export interface VersionPage {
  readonly limit?: number | undefined;
  readonly before?: number | undefined;
}

/**
 * The versions, also of a removed document: all of them, the oldest first, as clients of the public API expect; or a page, the newest
 * first, with a `link` to the next.
 */
export async function listVersions(context: Context, subject: Subject, page: VersionPage): Promise<Outcome> {
  const { store } = context;
  const { before, limit } = page;
  const range = defined({ before, limit: limit && limit + 1 });
  const [current, stored] = await Promise.all([currentVersion(store.reads, subject), store.reads.versions(subject, range)]);
  const historyStart = historyStartFor(context, subject);
  const found = stored.filter((version) => isSeen(version, historyStart));
  if (current === undefined && found.length === 0) throw subjectNotFound(subject);
  const { shown, last } = pageOf(found, limit ?? Infinity);
  const isComplete = limit === undefined && before === undefined;
  const body: VersionList = { ...defined({ current }), versions: (isComplete ? shown.toReversed() : shown).map(versionEntry) };
  return { result: 'done', body, etag: etagOf(body), ...linkTo(last && `${addressOf(subject)}?limit=${limit}&before=${last.version}`) };
}

/** A version as answered, without its data. */
export function versionEntry({ version, created, name, user, restoredFrom }: StoredVersionEntry): VersionEntry {
  return {
    version,
    created: created.toISOString(),
    ...defined({ name, user, restoredFrom }),
  };
}

export async function getVersion(context: Context, subject: Subject, version: number): Promise<Outcome> {
  const found = await findVersion(context.store.reads, subject, version, historyStartFor(context, subject));
  return { result: 'done', body: versionBody(found), etag: versionEtag(found) };
}

/** For one version as read at its address, including its name. */
export function versionEtag(version: VersionData): string {
  return etagOf(versionBody(version));
}

function versionBody(version: VersionData) {
  return { ...versionEntry(version), data: version.data };
}

/** `historyStart`: see `visibleHistoryStart`. Refuses with VERSION_NOT_FOUND. */
export async function findVersion(reads: Reads, subject: Subject, version: number, historyStart: Date | undefined): Promise<VersionData> {
  const found = await reads.version(subject, version);
  if (found === undefined || !isSeen(found, historyStart)) throw versionNotFound(subject, version);
  return found;
}

/** For a read that was permitted by the stored state. */
export function historyStartFor({ caller, permitted = {} }: Context, subject: Subject): Date | undefined {
  return subject.kind === 'site' ? visibleHistoryStart(caller, 'people:read', permitted) : undefined;
}

function isSeen({ created }: StoredVersionEntry, historyStart: Date | undefined): boolean {
  return historyStart === undefined || created >= historyStart;
}

function addressOf(subject: Subject): string {
  const item = itemOf(subject);
  return `/config/${subject.org}${item === undefined ? '' : `/${subject.kind}s/${item}`}/versions.json`;
}

/** The name of the profile or site. */
function itemOf(subject: Subject): string | undefined {
  return subject.kind === 'org' ? undefined : subject.kind === 'profile' ? subject.profile : subject.site;
}

type Restore<N, D, I> = Omit<Change<N, D, I>, 'name' | 'query' | 'next' | 'restores'> & {
  /** What a client may send of the document. */
  readonly schema: z.ZodType<I>;
  /** See `visibleHistoryStart`. */
  historyStart?(reads: Reads): Promise<Date | undefined>;
};

/**
 * Stores a version again. A rule that refuses it is answered as VERSION_REFUSED, with the rule's message and its code in the data; callers
 * who may not restore it, or would lock themselves out, are refused as in every other write.
 */
export async function restoreVersion<N extends Named, D extends Document, I extends Sent, S extends StoredDocument<D>>(
  context: Context,
  kind: DocumentKind<N, D, I, S>,
  input: DocumentCall<N> & { readonly body: unknown },
  version: number,
  { schema, historyStart, ...change }: Restore<N, D, I>,
): Promise<Outcome> {
  if (input.body !== undefined) throw bodyInvalid('', 'A version is restored without a body. Omit either the body or restoreVersion.');
  const request = requestOf(kind, input);
  try {
    return await changeDocument(context, kind, {
      ...request,
      ...change,
      restores: version,
      next: async (_current, reads) => await readVersion(reads, kind.subject(request.name), version, schema, await historyStart?.(reads)),
    });
  } catch (error) {
    if (error instanceof Refusal && RULES.has(error.code)) throw versionRefused(version, error);
    throw error;
  }
}

/**
 * A version, to be stored again. What was valid when it was stored may no longer be: it is parsed like input from outside, by what a client
 * may send. `historyStart`: see `visibleHistoryStart`. Refuses with VERSION_NOT_FOUND, also if the version records a deletion.
 */
export async function readVersion<S extends z.ZodType>(
  reads: Reads,
  subject: Subject,
  version: number,
  schema: S,
  historyStart?: Date,
): Promise<z.output<S>> {
  const { data } = await findVersion(reads, subject, version, historyStart);
  if (data === null) {
    const sentence = `Version ${version} records that ${lowerFirst(describeSubject(subject))} was removed. Restore an earlier one.`;
    throw new Refusal('VERSION_NOT_FOUND', sentence, { data: { version: `${version}` } });
  }
  const errors = problemsOf(schema, data);
  const [first] = errors;
  if (first === undefined) return schema.parse(data);
  throw new Refusal('BODY_INVALID', `${first.pointer}: ${first.detail}`, { errors });
}

function versionRefused(version: number, rule: Refusal): Refusal {
  const sentence = `Version ${version} cannot be restored.`;
  return rule.with({
    code: 'VERSION_REFUSED',
    sentence: `${sentence} ${rule.message}`,
    data: { ...rule.data, code: rule.code, version: `${version}` },
    cause: rule,
    ...defined({ detail: rule.detail && `${sentence} ${rule.detail}` }),
  });
}

function lowerFirst(text: string): string {
  return `${text.slice(0, 1).toLowerCase()}${text.slice(1)}`;
}

const RULES: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'BODY_INVALID',
  'HOST_LABEL_TOO_LONG',
  'CONTENT_ADDRESS_MISMATCH',
  'CONTENT_ROOT_TAKEN',
  'SECRET_NOT_ALLOWED',
  'CODE_SOURCE_NOT_FOUND',
  'CODE_SOURCE_REFUSED',
  'REPOSITORY_NOT_READY',
  'PROFILE_NOT_FOUND',
]);

/** At the start of a sentence: `Site "wknd/wknd-de"`. */
export function describeSubject(subject: Subject): string {
  const item = itemOf(subject);
  return item === undefined ? `Organization "${subject.org}"` : `${DOCUMENTS[subject.kind]} "${subject.org}/${item}"`;
}
const DOCUMENTS = { org: 'Organization', profile: 'Profile', site: 'Site' };

/** The number of the current version; undefined if nothing is stored. */
export async function currentVersion(reads: Reads, subject: Subject): Promise<number | undefined> {
  switch (subject.kind) {
    case 'org':
      return (await reads.org(subject.org))?.version;
    case 'profile':
      return (await reads.profile(subject.org, subject.profile))?.version;
    case 'site':
      return (await reads.site(subject.org, subject.site))?.version;
  }
}

/** The refusal for what never existed. */
function subjectNotFound(subject: Subject): Refusal {
  switch (subject.kind) {
    case 'org':
      return unclaimed(subject.org);
    case 'profile':
      return new Refusal('PROFILE_NOT_FOUND', `The profile "${subject.org}/${subject.profile}" does not exist.`, {
        data: { org: subject.org, profile: subject.profile },
      });
    case 'site':
      return siteNotFound(subject);
  }
}

function versionNotFound(subject: Subject, version: number): Refusal {
  return new Refusal('VERSION_NOT_FOUND', `${describeSubject(subject)} has no version ${version}.`, { data: { version: `${version}` } });
}

/**
 * Refuses callers who may not change the history, by the state in the transaction. Returns since when they may; see `visibleHistoryStart`.
 */
export async function permitOn(context: Context, reads: Reads, permission: Permission, subject: Subject): Promise<Date | undefined> {
  const { org: name } = subject;
  const { org, site } =
    subject.kind === 'site' ? await reads.orgAndSite(name, subject.site) : { org: await reads.org(name), site: undefined };
  permit(context.caller, permission, { name, org, site: site?.aggregate });
  return visibleHistoryStart(context.caller, 'people:read', { org, site });
}

/**
 * Since when a caller may see the history of a site, by a permission; undefined: all of it. The name of a removed site may be used again.
 * Callers with a role only on the new site see nothing of the former one, its people and credentials: only the organization's own people
 * do. A restored site has the time of its first creation.
 */
export function visibleHistoryStart(caller: Caller, permission: keyof typeof GRANTS, { org, site }: Permitted): Date | undefined {
  if (site === undefined) return undefined;
  const roles = org === undefined ? undefined : rolesOf(caller, org.config);
  return GRANTS[permission].some((role) => roles?.has(role)) ? undefined : new Date(site.config.created);
}
