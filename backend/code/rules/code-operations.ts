import { RepositoryLog, type RepositoryLogEntry } from '@repoless/contract/audit.ts';
import type { CodeCheck } from '@repoless/contract/code-check.ts';
import type { endpoints } from '@repoless/contract/endpoints.ts';
import { type CodeFileStatus, type JobStarter, SERVED_FILE } from '@repoless/contract/job.ts';
import { DEFAULT_REF } from '@repoless/contract/names.ts';
import type { SealedValue } from '@repoless/contract/secret.ts';
import type { Context, Operation } from '../../domain/context.ts';
import { checkPreconditions, Refusal } from '@repoless/contract/refusal.ts';
import { bearerOf, sameText } from '../../secrets/secret-box.ts';
import { completeCode } from '@repoless/contract/code-source.ts';
import { originOf } from './code-origin.ts';
import { findOrigin, getJob, getJobDetails, getNamedJob } from './get-job.ts';
import { githubWebhook } from './github-webhook.ts';
import type { BranchProbe, CodeFiles, CodeOrigin, JobRunner, StoredRollBack } from './ports.ts';
import { auditSync, requestedBranch, requireOwnCode, startBranchSync, startSync, stopJob } from './start-sync.ts';
import { removeBranch, syncPushed } from './start-syncs.ts';
import { difference } from '@repoless/contract/difference.ts';
import type { ServedCommit } from '@repoless/contract/served-code.ts';
import { dryRunOf } from '../../changes/part-calls.ts';
import { checkAgainst, etagOf, requireJson } from '../../domain/documents.ts';
import { requireUser } from '../../sessions/identity.ts';

type Rows = typeof endpoints;

interface CodeServices {
  readonly runner: JobRunner;
  readonly files: CodeFiles;
  readonly probe: BranchProbe;
  readonly webhookSecret: SealedValue | undefined;
  readonly buildManagementKey: SealedValue | undefined;
}

export type CodeOperations = ReturnType<typeof codeOperations>;

/** The calls of docs/contract.md 5.1. */
export function codeOperations({ runner, files, probe, webhookSecret, buildManagementKey }: CodeServices) {
  return {
    getJob: getJob(runner),
    getNamedJob,
    getJobDetails,
    startSync: startSync(runner, probe),
    startBranchSync: startBranchSync(runner, probe),
    stopJob: stopJob(runner),
    serveCommit: serveCommit(runner, files),
    getCode,
    getCodeFile: getCodeFile(files),
    ...buildManagementOperations(runner, buildManagementKey),
    githubWebhook: githubWebhook(runner, webhookSecret, probe),
  };
}

interface LinkRequest {
  readonly params: { readonly owner: string; readonly repo: string; readonly ref: string };
  readonly query: { readonly branch?: string | undefined; readonly org?: string | undefined };
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/** The calls for build management, which authenticates with the key of the settings; without a key they are disabled. */
function buildManagementOperations(runner: Pick<JobRunner, 'wake' | 'changed'>, key: SealedValue | undefined) {
  const admitted = async (context: Context, { params, query, headers }: LinkRequest) => {
    requireBuildManagement(key, headers['authorization']);
    const branch = requestedBranch(params.ref, query.branch);
    const origins = await originsOf(context, `byogit:${params.owner}/${params.repo}`, query.org);
    return { origins, branch, user: 'build-management' satisfies JobStarter, ...(query.org !== undefined && { org: query.org }) };
  };
  const pushed: Operation<Rows['pushed']> = async (context, input) => {
    return { result: 'accepted', body: await syncPushed(context, runner, await admitted(context, input)) };
  };
  const branchDeleted: Operation<Rows['branchDeleted']> = async (context, input) => {
    const push = await admitted(context, input);
    if (input.params.ref === DEFAULT_REF) throw new Refusal('BRANCH_PROTECTED', `The code of "${DEFAULT_REF}" is never removed.`);
    return { result: 'done', body: await removeBranch(context, runner, push) };
  };
  return { pushed, branchDeleted, addRepositoryLog: addRepositoryLog(key) };
}

/** One origin for each organization and pair of addresses; without `owner`, those of every organization that names the repository. */
async function originsOf(context: Context, repository: string, owner: string | undefined): Promise<CodeOrigin[]> {
  const origins = new Map<string, CodeOrigin>();
  for (const { org, aggregate } of await context.store.reads.sitesOfRepository(repository, owner)) {
    const origin = originOf(org, aggregate.code);
    if (origin !== undefined) origins.set(origin.key, origin);
  }
  if (origins.size === 0) throw new Refusal('REPOSITORY_UNKNOWN', 'No site uses this repository. Register one that does, then push again.');
  return [...origins.values()];
}

/** How long a repeated entry is recognized, which is sent again if its answer was lost: milliseconds. */
const RECOGNIZED = 30 * 24 * 60 * 60 * 1000;

/**
 * Build management reports actions on external repositories: its entries are added to the organization's audit trail, in order and once
 * each. The body is not parsed before the key has been checked. Refuses with NOT_AUTHENTICATED, BODY_UNPARSABLE, BODY_INVALID and
 * ORG_NOT_FOUND, and stores nothing then.
 */
function addRepositoryLog(key: SealedValue | undefined): Operation<Rows['addRepositoryLog']> {
  return async ({ store, now }, { params: { org }, headers, rest, raw = new Uint8Array() }) => {
    requireBuildManagement(key, headers['authorization']);
    rest?.();
    const { entries } = checkAgainst(RepositoryLog, requireJson(raw), 'BODY_INVALID', 'The request body');
    if ((await store.reads.org(org)) === undefined)
      throw new Refusal('ORG_NOT_FOUND', `The organization "${org}" is not claimed.`, { data: { org } });
    const fresh = new Map<string, RepositoryLogEntry>();
    for (const entry of entries) if ((await store.shortLived.get('notified', entry.id)) === undefined) fresh.set(entry.id, entry);
    await store.write(async (writes) => {
      for (const { time, user, action, subject, site, requestId } of fresh.values())
        await writes.addAudit({
          org,
          time: new Date(time),
          user,
          action: `${action}/${subject}`,
          requestId,
          ...(site !== undefined && { site }),
        });
    });
    // After the entries: if the service ends in between, a duplicate entry is better than none.
    const until = new Date(now().getTime() + RECOGNIZED);
    for (const id of fresh.keys()) await store.shortLived.put('notified', id, true, until);
    return { result: 'removed' };
  };
}

/** Refuses callers without the key that the service and build management share, and everyone if there is none. */
function requireBuildManagement(key: SealedValue | undefined, authorization: string | undefined): void {
  const presented = bearerOf(authorization);
  if (key?.use((value) => sameText(presented, value)) === true) return;
  throw new Refusal('NOT_AUTHENTICATED', 'not authenticated', {
    detail: 'Send the key of the setting BUILD_MANAGEMENT_KEY as "authorization: Bearer …".',
  });
}

const getCode: Operation<Rows['getCode']> = async (context, { params }) => {
  const { origin } = await findOrigin(context, params);
  const branches = await context.store.code.branches(origin.key);
  return { result: 'done', body: { owner: origin.owner, repo: origin.repo, branches: branches.map(({ branch }) => branch).toSorted() } };
};

/** Whether a file is served: clients of the public API poll this until the code of a new site is there. */
function getCodeFile(files: CodeFiles): Operation<Rows['getCodeFile']> {
  return async (context, { params }) => {
    const { origin } = await findOrigin(context, params);
    const { ref, path } = params;
    const file = await files.find(origin.key, ref, path);
    if (file === undefined)
      throw new Refusal('FILE_NOT_FOUND', `The synchronized code of branch "${ref}" has no file "/${path}".`, { data: { path } });
    const body: CodeFileStatus = {
      webPath: `/${path}`,
      resourcePath: `/${path}`,
      code: { ...SERVED_FILE, size: file.size, sha256: file.hash },
    };
    return { result: 'done', body };
  };
}

/** Checks a code source before a site uses it. The site need not exist. */
export const checkCode: Operation<Rows['checkCode']> = async ({ codeSources, settings }, { params, query }) => {
  const { type, owner, repo, ref = DEFAULT_REF, url } = query;
  if (type === 'github' && url !== undefined) {
    const [error] = completeCode({ owner, repo, source: { type, url } }, settings.codeHost).errors;
    if (error !== undefined) throw new Refusal('QUERY_INVALID', `The query parameter url is not valid: ${error.detail}`);
  }
  const found = await codeSources.probe({ org: params.org, type, owner, repo, ...(url === undefined ? {} : { url }) }, ref);
  return { result: 'done', body: { type, owner, repo, ref, ...found } satisfies CodeCheck };
};

/** Serves an earlier commit, or the one synchronized last. Its files are stored: nothing is read (docs/decisions/code.md 8). */
function serveCommit(runner: Pick<JobRunner, 'changed'>, files: Pick<CodeFiles, 'isComplete'>): Operation<Rows['serveCommit']> {
  return async (context, input) => {
    const { params, query, body } = input;
    const { origin } = await findOrigin(context, params);
    await requireOwnCode(context, origin, params.org);
    const { code } = context.store;
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const read = await code.commits(origin.key, params.ref);
      const before: ServedCommit | undefined = read && { served: read.served.sha, follows: read.rolledBack === undefined };
      checkPreconditions(input, before && etagOf(before));
      const commit = body.sha === null ? read?.commits[0] : read?.commits.find(({ sha }) => sha === body.sha?.toLowerCase());
      if (read === undefined || before === undefined || commit === undefined) throw notKept(params.ref, body.sha);
      const after: ServedCommit = { served: commit.sha, follows: commit === read.commits[0] };
      const isServed = after.served === before.served && after.follows === before.follows;
      if (!isServed && !(await files.isComplete(commit.manifest))) throw notKept(params.ref, commit.sha);
      if (query.dryRun === true) return dryRunOf({ result: 'done', body: after, diff: difference(before, after) });
      if (isServed) return { result: 'done', body: after, etag: etagOf(after) };
      const rolledBack: StoredRollBack | undefined = after.follows
        ? undefined
        : { time: context.now().toISOString(), user: requireUser(context.caller).email, org: params.org };
      if (!(await code.serveCommit(read, commit, rolledBack))) continue;
      runner.changed(origin.key, params.ref, 'created');
      await auditSync(context, params, after.follows ? `follow-branch/${params.ref}` : `serve-commit/${params.ref}/${commit.sha}`);
      return { result: 'done', body: after, etag: etagOf(after) };
    }
    throw new Error('The commits of a branch changed at each attempt.');
  };
}

/** Syncs of the branch may end in between. */
const ATTEMPTS = 10;

function notKept(branch: string, commit: string | null): Refusal {
  const sentence =
    commit === null
      ? `The branch "${branch}" was never synchronized. Synchronize it first.`
      : `The files of the commit ${commit} of branch "${branch}" are not stored. Choose one of "commits" of its job.`;
  return new Refusal('COMMIT_NOT_KEPT', sentence, { data: { branch, commit: commit ?? 'none' } });
}
