import type { Permission } from '@repoless/contract/access.ts';
import { type endpoints, profilePartEndpoints } from '@repoless/contract/endpoints.ts';
import { ProfileInput, type ProfilePart } from '@repoless/contract/site.ts';
import { changeRequest } from '../changes/change.ts';
import {
  EDITOR,
  GROUP,
  readEntry,
  readPart,
  readRobots,
  removeEntry,
  removePart,
  removeRobots,
  replaceEntry,
  replacePart,
  replaceRobots,
} from '../changes/part-calls.ts';
import type { Operation } from '../domain/context.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import { createTimeSlices } from '../domain/fair-share.ts';
import { readVersion, refuseBody, restoring } from '../history/read-versions.ts';
import { listDetail } from '../sites/find-site.ts';
import { findProfile } from './find-profile.ts';
import { changeProfile, PROFILES } from './profile-document.ts';

type Rows = typeof endpoints;

/** With details they are read one after the other, yielding to other work. */
const listProfiles: Operation<Rows['listProfiles']> = async ({ store }, { params: { org }, query }) => {
  const names = await store.reads.listProfileNames(org);
  const turn = createTimeSlices();
  const profiles = [];
  for (const name of names) {
    const stored = query.details === true ? await store.reads.profile(org, name) : undefined;
    profiles.push({ name, path: `/config/${org}/profiles/${name}.json`, ...(stored === undefined ? {} : listDetail(stored.config)) });
    await turn();
  }
  return { result: 'done', body: { profiles } };
};

const getProfile: Operation<Rows['getProfile']> = async (context, { params }) => {
  const { config, etag } = await findProfile(context, params);
  return { result: 'done', body: config, etag };
};

const putProfile: Operation<Rows['putProfile']> = (context, input) =>
  changeProfile(context, {
    name: PROFILES.nameOf(input.params),
    ...changeRequest(input),
    permission: 'org:configure',
    action: 'put',
    creates: true,
    next: () => input.body,
  });

/** The same upsert, or restoring a version. */
const postProfile: Operation<Rows['postProfile']> = (context, input) => {
  const { body, params } = input;
  const version = input.query.restoreVersion;
  const change = { name: PROFILES.nameOf(params), ...changeRequest(input), permission: 'org:configure', creates: true } as const;
  if (version !== undefined) {
    refuseBody(body);
    const subject = { kind: 'profile', org: params.org, profile: params.profile } as const;
    return restoring(version, () =>
      changeProfile(context, {
        ...change,
        action: 'restore',
        restores: version,
        next: (_present, reads) => readVersion(reads, subject, version, ProfileInput),
      }),
    );
  }
  if (body === undefined) throw new Refusal('BODY_MISSING', 'missing body', { detail: 'Send the profile, or ?restoreVersion=<number>.' });
  return changeProfile(context, { ...change, action: 'post', next: () => body });
};

const deleteProfile: Operation<Rows['deleteProfile']> = (context, input) =>
  changeProfile(context, {
    name: PROFILES.nameOf(input.params),
    ...changeRequest(input),
    permission: 'org:write',
    action: 'delete',
    next: () => null,
  });

const getProfileRobots: Operation<Rows['getProfileRobots']> = readRobots(PROFILES);
const setProfileRobots: Operation<Rows['setProfileRobots']> = replaceRobots(PROFILES, 'org:configure');
const deleteProfileRobots: Operation<Rows['deleteProfileRobots']> = removeRobots(PROFILES, 'org:configure');
const getProfileGroup: Operation<Rows['getProfileGroup']> = readEntry(PROFILES, GROUP);
const setProfileGroup: Operation<Rows['setProfileGroup']> = replaceEntry(PROFILES, GROUP, 'org:write');
const deleteProfileGroup: Operation<Rows['deleteProfileGroup']> = removeEntry(PROFILES, GROUP, 'org:write');
const getProfileEditorEntry: Operation<Rows['getProfileEditorEntry']> = readEntry(PROFILES, EDITOR);
const setProfileEditorEntry: Operation<Rows['setProfileEditorEntry']> = replaceEntry(PROFILES, EDITOR, 'org:configure');
const deleteProfileEditorEntry: Operation<Rows['deleteProfileEditorEntry']> = removeEntry(PROFILES, EDITOR, 'org:configure');

/** The calls of profiles, except those of their parts. */
export const profileOperations = {
  listProfiles,
  getProfile,
  putProfile,
  postProfile,
  deleteProfile,
  getProfileRobots,
  setProfileRobots,
  deleteProfileRobots,
  getProfileGroup,
  setProfileGroup,
  deleteProfileGroup,
  getProfileEditorEntry,
  setProfileEditorEntry,
  deleteProfileEditorEntry,
};

type Parts = typeof profilePartEndpoints;

export function getProfilePart<P extends ProfilePart>(part: P): Operation<Parts[P]['get']> {
  return readPart(PROFILES, part);
}

export function setProfilePart<P extends ProfilePart>(part: P): Operation<Parts[P]['set']> {
  return replacePart(PROFILES, part, permissionOf(part));
}

export function removeProfilePart<P extends ProfilePart>(part: P): Operation<Parts[P]['remove']> {
  return removePart(PROFILES, part, permissionOf(part));
}

function permissionOf(part: ProfilePart): Permission {
  return profilePartEndpoints[part].set.permission;
}
