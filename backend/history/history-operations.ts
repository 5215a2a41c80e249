import { historyEndpoints } from '@repoless/contract/history-endpoints.ts';
import { changeRequest } from '../changes/change.ts';
import type { ChangeRequest } from '../changes/change.ts';
import { Refusal } from '../domain/errors.ts';
import type { Subject } from '../domain/ports.ts';
import type { Operation } from '../domain/operation.ts';
import type { AnswerBudget } from '../domain/answer-budget.ts';
import { versionComparison } from './compare-versions.ts';
import { getVersion, listVersions } from './read-versions.ts';
import { deleteVersion, nameVersion } from './change-versions.ts';

type HistoryCall = keyof typeof historyEndpoints;
export type HistoryOperations = { readonly [Id in HistoryCall]: Operation<(typeof historyEndpoints)[Id]> };

/** The calls of the three histories, each upon the one operation that serves all of them. In: where large answers are kept until they are sent. */
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

/** A name comes in the body or in the query; two different ones are refused. */
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
