import type { Permission } from '@repoless/contract/access.ts';
import { historyEndpoints } from '@repoless/contract/history.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { changeRequest, type ChangeRequest } from '../changes/change.ts';
import { REMOVAL, runWrite } from '../changes/part-calls.ts';
import type { AnswerBudget } from '../domain/answer-budget.ts';
import { type Context, type Operation, type Outcome, requireUser } from '../domain/context.ts';
import { etagOf } from '../domain/documents.ts';
import { difference } from '@repoless/contract/difference.ts';
import { checkPreconditions, Refusal } from '@repoless/contract/refusal.ts';
import { createFairShare, yieldToEventLoop } from '../domain/fair-share.ts';
import type { Subject, VersionData, Writes } from '../domain/ports.ts';
import {
  historyStartFor,
  currentVersion,
  describeSubject,
  findVersion,
  getVersion,
  listVersions,
  permitOn,
  versionEntry,
  versionEtag,
} from './read-versions.ts';

type HistoryCall = keyof typeof historyEndpoints;
export type HistoryOperations = { readonly [Id in HistoryCall]: Operation<(typeof historyEndpoints)[Id]> };

/** The calls of the three histories, all served by the same operations. Takes the budget for large answers until they are sent. */
export function historyOperations(budget: AnswerBudget): HistoryOperations {
  const compareVersions = versionComparison(budget);
  return {
    listVersions: (context, { params, query }) => listVersions(context, site(params), query),
    compareVersions: (context, { params }) => compareVersions(context, site(params), params.from, params.to),
    getVersion: (context, { params }) => getVersion(context, site(params), params.version),
    nameVersion: (context, input) => nameVersion(context, { ...naming('nameVersion', input), subject: site(input.params) }),
    deleteVersion: (context, input) => deleteVersion(context, { ...removal('deleteVersion', input), subject: site(input.params) }),
    listProfileVersions: (context, { params, query }) => listVersions(context, profile(params), query),
    compareProfileVersions: (context, { params }) => compareVersions(context, profile(params), params.from, params.to),
    getProfileVersion: (context, { params }) => getVersion(context, profile(params), params.version),
    nameProfileVersion: (context, input) =>
      nameVersion(context, { ...naming('nameProfileVersion', input), subject: profile(input.params) }),
    deleteProfileVersion: (context, input) =>
      deleteVersion(context, { ...removal('deleteProfileVersion', input), subject: profile(input.params) }),
    listOrgVersions: (context, { params, query }) => listVersions(context, organization(params), query),
    compareOrgVersions: (context, { params }) => compareVersions(context, organization(params), params.from, params.to),
    getOrgVersion: (context, { params }) => getVersion(context, organization(params), params.version),
    nameOrgVersion: (context, input) => nameVersion(context, { ...naming('nameOrgVersion', input), subject: organization(input.params) }),
    deleteOrgVersion: (context, input) =>
      deleteVersion(context, { ...removal('deleteOrgVersion', input), subject: organization(input.params) }),
  };
}

function site({ org, site: name }: { readonly org: string; readonly site: string }): Subject {
  return { kind: 'site', org, site: name };
}

function profile({ org, profile: name }: { readonly org: string; readonly profile: string }): Subject {
  return { kind: 'profile', org, profile: name };
}

function organization({ org }: { readonly org: string }): Subject {
  return { kind: 'org', org };
}

interface Call extends ChangeRequest {
  readonly params: { readonly version: number };
}
interface NamingCall extends Call {
  readonly query: Call['query'] & { readonly name?: string | undefined };
  readonly body: { readonly name: string } | undefined;
}

/** The name is in the body or in the query; two different ones are refused. */
function naming(id: HistoryCall, input: NamingCall) {
  const { body, query } = input;
  if (body !== undefined && query.name !== undefined && body.name !== query.name) {
    throw new Refusal('QUERY_INVALID', `The body names the version "${body.name}", and ?name= "${query.name}". Send one of them.`);
  }
  return { ...removal(id, input), name: body?.name ?? query.name };
}

function removal(id: HistoryCall, input: Call) {
  return { ...changeRequest(input), version: input.params.version, permission: historyEndpoints[id].permission };
}

interface Naming extends ChangeRequest {
  readonly subject: Subject;
  readonly version: number;
  readonly permission: Permission;
  /** Empty: removes the name. */
  readonly name: string | undefined;
}

/** Names a version, which is then never deleted automatically. The same name again has no effect. */
async function nameVersion(context: Context, naming: Naming): Promise<Outcome> {
  const { name, subject, version } = naming;
  if (name === undefined) {
    throw new Refusal('BODY_MISSING', 'missing body', { detail: 'Send {"name": …} or ?name=…; an empty name removes it.' });
  }
  return await runWrite(context, naming, async (reads) => {
    const begin = await permitOn(context, reads, naming.permission, subject);
    const before = await findVersion(reads, subject, version, begin);
    checkPreconditions(naming, versionEtag(before));
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

interface VersionRemoval extends ChangeRequest {
  readonly subject: Subject;
  readonly version: number;
  readonly permission: Permission;
}

/** Removes a version permanently. Its number is never reused. Refuses with VERSION_IS_CURRENT. */
function deleteVersion(context: Context, removal: VersionRemoval): Promise<Outcome> {
  const { subject, version } = removal;
  return runWrite(context, removal, async (reads) => {
    const begin = await permitOn(context, reads, removal.permission, subject);
    const found = await findVersion(reads, subject, version, begin);
    checkPreconditions(removal, versionEtag(found));
    if ((await currentVersion(reads, subject)) === version) throw isCurrent(subject, version);
    return {
      result: 'removed',
      diff: REMOVAL,
      async store(writes) {
        await writes.deleteVersion(subject, version);
        await auditHistory(context, writes, subject, 'delete', version);
      },
    };
  });
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
  const begin = historyStartFor(context, subject);
  await yieldToEventLoop();
  const one = await findVersion(reads, subject, from, begin);
  await yieldToEventLoop();
  const other = await findVersion(reads, subject, to, begin);
  await yieldToEventLoop();
  const patch = difference(one.data, other.data);
  await yieldToEventLoop();
  const etag = etagOf(patch);
  await yieldToEventLoop();
  const printed = budget.begin(subject.org);
  printed.add(JSON.stringify(patch, null, 2));
  return { result: 'done', printed, etag };
}

const COMPARISONS = {
  atOnce: LIMITS.comparisonsAtOnce,
  perShare: 1,
  waitingPerShare: LIMITS.comparisonsWaiting,
  waiting: 10 * LIMITS.comparisonsWaiting,
  called: 'comparisons of versions',
};
