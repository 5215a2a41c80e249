import type { Permission } from '@repoless/contract/access.ts';
import { historyEndpoints } from '@repoless/contract/history.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import type { ChangeRequest, DocumentCall } from '../changes/change.ts';
import { removed, runWrite } from '../changes/part-calls.ts';
import type { AnswerBudget } from '../domain/answer-budget.ts';
import type { Context, Operation, Outcome } from '../domain/context.ts';
import { etagOf } from '../domain/documents.ts';
import { difference } from '@repoless/contract/difference.ts';
import { checkPreconditions, Refusal } from '@repoless/contract/refusal.ts';
import { createFairShare, yieldToEventLoop } from '../domain/fair-share.ts';
import type { Reads, Writes } from '../domain/ports.ts';
import {
  currentVersion,
  describeSubject,
  findVersion,
  getVersion,
  historyStartFor,
  listVersions,
  permitOn,
  versionEntry,
  versionEtag,
  type VersionPage,
} from './read-versions.ts';
import type { Subject, VersionData } from './ports.ts';
import { requireUser } from '../sessions/identity.ts';

export type HistoryOperations = { readonly [Id in keyof typeof historyEndpoints]: Operation<(typeof historyEndpoints)[Id]> };

/** The calls of the three histories, all served by the same operations. Takes the budget for large answers until they are sent. */
export function historyOperations(budget: AnswerBudget): HistoryOperations {
  const compare = versionComparison(budget);
  const site = callsOf(
    ({ org, site: name }: { readonly org: string; readonly site: string }) => ({ kind: 'site', org, site: name }),
    compare,
  );
  const profile = callsOf(
    ({ org, profile: name }: { readonly org: string; readonly profile: string }) => ({ kind: 'profile', org, profile: name }),
    compare,
  );
  const org = callsOf((params: { readonly org: string }) => ({ kind: 'org', org: params.org }), compare);
  return {
    listVersions: site.list,
    compareVersions: site.compare,
    getVersion: site.get,
    nameVersion: site.name(historyEndpoints.nameVersion.permission),
    deleteVersion: site.remove(historyEndpoints.deleteVersion.permission),
    listProfileVersions: profile.list,
    compareProfileVersions: profile.compare,
    getProfileVersion: profile.get,
    nameProfileVersion: profile.name(historyEndpoints.nameProfileVersion.permission),
    deleteProfileVersion: profile.remove(historyEndpoints.deleteProfileVersion.permission),
    listOrgVersions: org.list,
    compareOrgVersions: org.compare,
    getOrgVersion: org.get,
    nameOrgVersion: org.name(historyEndpoints.nameOrgVersion.permission),
    deleteOrgVersion: org.remove(historyEndpoints.deleteOrgVersion.permission),
  };
}

interface Numbered {
  readonly version: number;
}
interface NamingCall<Params> extends DocumentCall<Params> {
  readonly query: ChangeRequest['query'] & { readonly name?: string | undefined };
  readonly body: { readonly name: string } | undefined;
}

/** The calls of one history, of the subject that their parameters name. */
function callsOf<Params>(subjectOf: (params: Params) => Subject, compare: VersionComparison) {
  return {
    list: (context: Context, { params, query }: { readonly params: Params; readonly query: VersionPage }) =>
      listVersions(context, subjectOf(params), query),
    compare: (context: Context, { params }: { readonly params: Params & { readonly from: number; readonly to: number } }) =>
      compare(context, subjectOf(params), params.from, params.to),
    get: (context: Context, { params }: { readonly params: Params & Numbered }) => getVersion(context, subjectOf(params), params.version),
    name: (permission: Permission) => async (context: Context, input: NamingCall<Params & Numbered>) =>
      await nameVersion(context, subjectOf(input.params), permission, input),
    remove: (permission: Permission) => (context: Context, input: DocumentCall<Params & Numbered>) =>
      deleteVersion(context, subjectOf(input.params), permission, input),
  };
}

/**
 * Names a version, which is then never deleted automatically. The name is in the body or in the query; an empty one removes it, and the
 * same name again has no effect.
 */
async function nameVersion(context: Context, subject: Subject, permission: Permission, input: NamingCall<Numbered>): Promise<Outcome> {
  const { body, query, params } = input;
  const { version } = params;
  if (body !== undefined && query.name !== undefined && body.name !== query.name)
    throw new Refusal('QUERY_INVALID', `The body names the version "${body.name}", and ?name= "${query.name}". Send one of them.`);
  const name = body?.name ?? query.name;
  if (name === undefined)
    throw new Refusal('BODY_MISSING', 'missing body', { detail: 'Send {"name": …} or ?name=…; an empty name removes it.' });
  return await runWrite(context, input, async (reads) => {
    const before = await permittedVersion(context, reads, subject, permission, input);
    const { name: _name, ...nameless } = before;
    const after: VersionData = name === '' ? nameless : { ...nameless, name };
    const prepared = {
      result: 'done' as const,
      body: versionEntry(after),
      etag: versionEtag(after),
      diff: difference(versionEntry(before), versionEntry(after)),
    };
    if (before.name === after.name) return prepared;
    return {
      ...prepared,
      async store(writes) {
        await writes.nameVersion(subject, version, after.name);
        await auditHistory(context, writes, subject, 'name', version);
      },
    };
  });
}

/** Removes a version permanently. Its number is never reused. Refuses with VERSION_IS_CURRENT. */
function deleteVersion(context: Context, subject: Subject, permission: Permission, input: DocumentCall<Numbered>): Promise<Outcome> {
  const { version } = input.params;
  return runWrite(context, input, async (reads) => {
    await permittedVersion(context, reads, subject, permission, input);
    if ((await currentVersion(reads, subject)) === version) throw isCurrent(subject, version);
    return removed(async (writes) => {
      await writes.deleteVersion(subject, version);
      await auditHistory(context, writes, subject, 'delete', version);
    });
  });
}

/** The version of a write, as it was when its caller read it. */
async function permittedVersion(
  context: Context,
  reads: Reads,
  subject: Subject,
  permission: Permission,
  input: DocumentCall<Numbered>,
): Promise<VersionData> {
  const historyStart = await permitOn(context, reads, permission, subject);
  const found = await findVersion(reads, subject, input.params.version, historyStart);
  checkPreconditions(input, versionEtag(found));
  return found;
}

function isCurrent(subject: Subject, version: number): Refusal {
  const sentence = `Version ${version} is the current one. Restore another version first, then remove this one.`;
  return new Refusal('VERSION_IS_CURRENT', sentence, {
    detail: `${sentence} ${describeSubject(subject)} itself is removed by DELETE of its own address.`,
    data: { version: `${version}` },
  });
}

/** The audit entry of a change of the history itself. */
async function auditHistory(
  context: Context,
  writes: Writes,
  subject: Subject,
  operation: 'name' | 'delete',
  version: number,
): Promise<void> {
  const { org } = subject;
  await writes.addAudit({
    org,
    time: context.now(),
    user: requireUser(context.caller).email,
    action: subject.kind === 'profile' ? `${operation}-profiles/${subject.profile}/version/${version}` : `${operation}-version/${version}`,
    requestId: context.requestId,
    ...(subject.kind === 'site' ? { site: subject.site } : {}),
  });
}

type VersionComparison = (context: Context, subject: Subject, from: number, to: number) => Promise<Outcome>;

/**
 * The JSON patch from `from` to `to`, whichever is older. A version that records the deletion counts as null. Two large versions take a
 * tenth of a second of the one thread that all share, so comparisons take turns, and yield between their steps. Takes the budget that holds
 * the answer until it is sent. Refuses with VERSION_NOT_FOUND, and with OVERLOADED if too many are waiting or being sent.
 */
function versionComparison(budget: AnswerBudget): VersionComparison {
  const share = createFairShare(COMPARISONS);
  return (context, subject, from, to) => share.run(subject.org, () => compared(context, budget, subject, { from, to }));
}

async function compared(
  context: Context,
  budget: AnswerBudget,
  subject: Subject,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<Outcome> {
  const { reads } = context.store;
  const historyStart = historyStartFor(context, subject);
  await yieldToEventLoop();
  const one = await findVersion(reads, subject, from, historyStart);
  await yieldToEventLoop();
  const other = await findVersion(reads, subject, to, historyStart);
  await yieldToEventLoop();
  const patch = difference(one.data, other.data);
  await yieldToEventLoop();
  const etag = etagOf(patch);
  await yieldToEventLoop();
  const printed = budget.open(subject.org);
  printed.add(JSON.stringify(patch, null, 2));
  return { result: 'done', printed, etag };
}

const COMPARISONS = {
  atOnce: LIMITS.comparisonsAtOnce,
  perShare: 1,
  waitingPerShare: LIMITS.comparisonsWaiting,
  waiting: 10 * LIMITS.comparisonsWaiting,
  workName: 'comparisons of versions',
};
