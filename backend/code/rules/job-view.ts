import type { Job, JobData, JobListEntry, RollBack, SyncedCommit } from '@repoless/contract/job.ts';
import { rolesOf } from '../../access/roles.ts';
import type { Context } from '../../domain/context.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import type { SiteName } from '../../sites/check-site.ts';
import { partNotFound, siteNotFound } from '../../sites/find-site.ts';
import { type CodeOrigin, originOf } from './code-origin.ts';
import type { BranchCommits, StoredJob } from './ports.ts';

/** The reader of a site's job. */
interface JobReader {
  readonly org: string;
  readonly isAdministrator: boolean;
  /** Without a role, the site is open to everyone (`requireAuth: false`). */
  readonly hasRole: boolean;
}

/**
 * A job as answered, without its lists of files, with what it waits for before it starts. Only readers who may see it are told who started
 * it.
 */
export function jobView(stored: StoredJob, reader?: JobReader, waitsFor?: string): Job {
  const { record } = stored;
  const { data: _data, user, error: _error, ...job } = record;
  const { changes: _changes, resources: _resources, truncated: _truncated, ...about } = jobData(stored, reader);
  const waiting = record.state === 'created' && waitsFor !== undefined ? { waiting: waitsFor } : {};
  const error = shownError(stored.origin, record.error, reader);
  return {
    ...job,
    ...(error !== undefined && { error }),
    data: { ...about, ...waiting },
    ...(user !== undefined && showsUser(stored, user, reader) && { user }),
  };
}

/** The data of a job, including its lists of files, as the reader may see it. */
export function jobData({ origin, record }: StoredJob, reader: JobReader | undefined): JobData {
  if (!isClosed(origin, reader)) return record.data;
  const { waiting: _waiting, commit: _commit, ...data } = record.data;
  return data;
}

/**
 * The commits of a branch, as the reader may see them: authors and messages of an external repository are visible to its organization only.
 */
export function shownCommits({ commits }: BranchCommits, origin: CodeOrigin, reader: JobReader | undefined): SyncedCommit[] {
  return commits.map(({ manifest: _manifest, bytes: _bytes, author, message, time, ...commit }) => ({
    ...commit,
    ...(isClosed(origin, reader) ? {} : { ...(author && { author }), ...(message && { message }), ...(time && { time }) }),
  }));
}

/** Since when an earlier commit is served; the person who rolled back is shown like the person who started a job. */
export function shownRollBack(
  { rolledBack }: Pick<BranchCommits, 'rolledBack'>,
  origin: CodeOrigin,
  reader: JobReader | undefined,
): { readonly rolledBack?: RollBack } {
  if (rolledBack === undefined) return {};
  const { time, user, org } = rolledBack;
  return { rolledBack: { time, ...(showsUser({ origin, begunBy: org }, user, reader) && { user }) } };
}

/** Why a sync failed, as the reader may see it. Takes the origin of the code, and the message of the job, if it failed. */
export function shownError(
  origin: CodeOrigin,
  error: string | undefined,
  reader: Pick<JobReader, 'hasRole'> | undefined,
): string | undefined {
  return error !== undefined && isClosed(origin, reader) ? UNTOLD : error;
}

/** Messages about an external repository contain its host, its secret and other sites of its organization. */
function isClosed({ type }: CodeOrigin, reader: Pick<JobReader, 'hasRole'> | undefined): boolean {
  return type === 'byogit' && reader?.hasRole === false;
}

/**
 * Shows a person only to the organization on whose behalf they acted, not to others that share the code; never API keys, or people without
 * an e-mail address. Jobs that no organization's call started belong to no person.
 */
function showsUser({ origin, begunBy }: Pick<StoredJob, 'origin' | 'begunBy'>, user: string, reader: JobReader | undefined): boolean {
  return reader?.isAdministrator === true && (NOBODY.has(user) || origin.type === 'byogit' || begunBy === reader.org);
}

export function jobListEntry({ origin, record }: StoredJob, list: string, reader?: JobReader): JobListEntry {
  const { name, state, createTime, startTime, stopTime, data, cancelled } = record;
  const error = shownError(origin, record.error, reader);
  return {
    name,
    state,
    time: startTime ?? createTime,
    branch: data.branch,
    href: `${list}/${name}`,
    ...(cancelled !== undefined && { cancelled }),
    ...(stopTime !== undefined && { stopTime }),
    ...(error !== undefined && { error }),
  };
}

/** The address of a branch's jobs, relative to the service's root. */
export function jobsAddress({ org, site, ref }: { org: string; site: string; ref: string }): string {
  return `/job/${org}/${site}/${ref}/code`;
}

/** What starts syncs without anyone's call. */
const NOBODY: ReadonlySet<string> = new Set(['webhook', 'build-management', 'first sync', 'new secret']);
const UNTOLD = 'The sync failed. Sign in with a role on this site to read why.';

/** Where the code of a site comes from, and the reader. Refuses with SITE_NOT_FOUND or PART_NOT_FOUND. */
export async function findOrigin(context: Context, name: SiteName): Promise<{ origin: CodeOrigin; reader: JobReader }> {
  const { org, site } = await context.store.reads.orgAndSite(name.org, name.site);
  if (org === undefined || site === undefined) throw siteNotFound(name);
  const origin = originOf(name.org, site.aggregate.code);
  if (origin === undefined) throw partNotFound('code', name);
  const roles = rolesOf(context.caller, org.config, site.aggregate);
  const isAdministrator = roles.has('admin') || roles.has('config_admin');
  return { origin, reader: { org: name.org, isAdministrator, hasRole: roles.size > 0 } };
}

/** A job of the site's own repository and branch, by its name. Refuses with JOB_NOT_FOUND. */
export async function findJob(
  context: Context,
  params: SiteName & { readonly ref: string; readonly name: string },
): Promise<{ job: StoredJob; reader: JobReader }> {
  const { origin, reader } = await findOrigin(context, params);
  const job = await context.store.code.job(params.name);
  if (job?.key === origin.key && job.ref === params.ref) return { job, reader };
  throw new Refusal('JOB_NOT_FOUND', `The branch "${params.ref}" has no job "${params.name}". Jobs of old syncs are not kept.`, {
    data: { branch: params.ref, job: params.name },
  });
}
