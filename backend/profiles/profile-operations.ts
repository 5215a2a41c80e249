import { type endpoints, profilePartEndpoints } from '@repoless/contract/endpoints.ts';
import { ProfileInput, type ProfilePart } from '@repoless/contract/site.ts';
import { requestOf } from '../changes/change-document.ts';
import { editorPart, groupPart, partCalls, robotsPart, sitePart } from '../changes/part-calls.ts';
import type { Operation } from '../domain/context.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import { createTimeSlices } from '../domain/fair-share.ts';
import { restoreVersion } from '../history/read-versions.ts';
import { listDetail } from '../sites/find-site.ts';
import { changeProfile, findProfile, PROFILES } from './profile-document.ts';

type Rows = typeof endpoints;

/** With details they are read one after the other, yielding to other work. */
const listProfiles: Operation<Rows['listProfiles']> = async ({ store }, { params: { org }, query }) => {
  const names = await store.reads.listProfileNames(org);
  const pause = createTimeSlices();
  const profiles = [];
  for (const name of names) {
    const stored = query.details === true ? await store.reads.profile(org, name) : undefined;
    profiles.push({ name, path: `/config/${org}/profiles/${name}.json`, ...(stored === undefined ? {} : listDetail(stored.config)) });
    await pause();
  }
  return { result: 'done', body: { profiles } };
};

const getProfile: Operation<Rows['getProfile']> = async (context, { params }) => {
  const { config, etag } = await findProfile(context, params);
  return { result: 'done', body: config, etag };
};

const putProfile: Operation<Rows['putProfile']> = (context, input) =>
  changeProfile(context, {
    ...requestOf(PROFILES, input),
    permission: 'org:configure',
    action: 'put',
    creates: true,
    next: () => input.body,
  });

/** Upserts as PUT does, or restores a version. */
const postProfile: Operation<Rows['postProfile']> = (context, input) => {
  const { body } = input;
  const version = input.query.restoreVersion;
  const change = { permission: 'org:configure', creates: true } as const;
  if (version !== undefined)
    return restoreVersion(context, PROFILES, input, version, { ...change, action: 'restore', schema: ProfileInput });
  if (body === undefined) throw new Refusal('BODY_MISSING', 'missing body', { detail: 'Send the profile, or ?restoreVersion=<number>.' });
  return changeProfile(context, { ...requestOf(PROFILES, input), ...change, action: 'post', next: () => body });
};

const deleteProfile: Operation<Rows['deleteProfile']> = (context, input) =>
  changeProfile(context, {
    ...requestOf(PROFILES, input),
    permission: 'org:write',
    action: 'delete',
    next: () => null,
  });

const robots = partCalls(PROFILES, 'org:configure', robotsPart);
const group = partCalls(PROFILES, 'org:write', groupPart);
const editor = partCalls(PROFILES, 'org:configure', editorPart);

/** The calls of profiles, except those of their parts. */
export const profileOperations = {
  listProfiles,
  getProfile,
  putProfile,
  postProfile,
  deleteProfile,
  getProfileRobots: robots.get,
  setProfileRobots: robots.set,
  deleteProfileRobots: robots.remove,
  getProfileGroup: group.get,
  setProfileGroup: group.set,
  deleteProfileGroup: group.remove,
  getProfileEditorEntry: editor.get,
  setProfileEditorEntry: editor.set,
  deleteProfileEditorEntry: editor.remove,
};

type Parts = typeof profilePartEndpoints;

function callsOf(part: ProfilePart) {
  return partCalls(PROFILES, profilePartEndpoints[part].set.permission, () => sitePart(part));
}

export function getProfilePart<P extends ProfilePart>(part: P): Operation<Parts[P]['get']> {
  return callsOf(part).get;
}

export function setProfilePart<P extends ProfilePart>(part: P): Operation<Parts[P]['set']> {
  return callsOf(part).set;
}

export function removeProfilePart<P extends ProfilePart>(part: P): Operation<Parts[P]['remove']> {
  return callsOf(part).remove;
}
