import { historyEndpoints } from '#contract/history-endpoints.ts';
import type { Subject } from '../ports.ts';
import type { Verb } from '../verb.ts';
import { compareVersions } from './compare-versions.ts';
import { deleteVersion } from './delete-version.ts';
import { getVersion } from './get-version.ts';
import { listVersions } from './list-versions.ts';
import { nameVersion } from './name-version.ts';

type HistoryCall = keyof typeof historyEndpoints;
export type HistoryVerbs = { readonly [Id in HistoryCall]: Verb<(typeof historyEndpoints)[Id]> };

/** The calls of the three histories, each upon the one verb that serves all of them. */
export const historyVerbs: HistoryVerbs = {
  listVersions: (context, { params, query }) => listVersions(context, site(params), query),
  compareVersions: (context, { params }) => compareVersions(context, site(params), params.from, params.to),
  getVersion: (context, { params }) => getVersion(context, site(params), params.version),
  nameVersion: (context, input) => nameVersion(context, { ...naming('nameVersion', input), subject: site(input.params) }),
  deleteVersion: (context, input) => deleteVersion(context, { ...removal('deleteVersion', input), subject: site(input.params) }),
  listProfileVersions: (context, { params, query }) => listVersions(context, profile(params), query),
  compareProfileVersions: (context, { params }) => compareVersions(context, profile(params), params.from, params.to),
  getProfileVersion: (context, { params }) => getVersion(context, profile(params), params.version),
  nameProfileVersion: (context, input) => nameVersion(context, { ...naming('nameProfileVersion', input), subject: profile(input.params) }),
  deleteProfileVersion: (context, input) =>
    deleteVersion(context, { ...removal('deleteProfileVersion', input), subject: profile(input.params) }),
  listOrgVersions: (context, { params, query }) => listVersions(context, organization(params), query),
  compareOrgVersions: (context, { params }) => compareVersions(context, organization(params), params.from, params.to),
  getOrgVersion: (context, { params }) => getVersion(context, organization(params), params.version),
  nameOrgVersion: (context, input) => nameVersion(context, { ...naming('nameOrgVersion', input), subject: organization(input.params) }),
  deleteOrgVersion: (context, input) =>
    deleteVersion(context, { ...removal('deleteOrgVersion', input), subject: organization(input.params) }),
};

function site({ org, site: name }: { readonly org: string; readonly site: string }): Subject {
  return { kind: 'site', org, site: name };
}

function profile({ org, profile: name }: { readonly org: string; readonly profile: string }): Subject {
  return { kind: 'profile', org, profile: name };
}

function organization({ org }: { readonly org: string }): Subject {
  return { kind: 'org', org };
}

interface Change {
  readonly params: { readonly version: number };
  readonly query: { readonly dryRun?: boolean | undefined; readonly name?: string | undefined };
}

function naming(id: HistoryCall, { params, query, body }: Change & { readonly body: { readonly name: string } | undefined }) {
  return { ...removal(id, { params, query }), name: body?.name ?? query.name };
}

function removal(id: HistoryCall, { params, query }: Change) {
  return { version: params.version, permission: historyEndpoints[id].permission, dryRun: query.dryRun };
}
