import type { z } from 'zod';
import { endpoint, NO_QUERY } from './endpoint.ts';
import type { ErrorCode } from './errors.ts';
import { Json } from './json.ts';
import { EditorEntry, EditorName } from './opaque-parts.ts';
import { OF_PROFILE, OF_SITE } from './owners.ts';
import type { Permission } from './permissions.ts';
import { PROFILE_WRITE_ERRORS } from './profile-endpoints.ts';
import { dryRun, json, SITE_WRITE_ERRORS, stored } from './site-endpoints.ts';
import { ChangeQuery } from './site-query.ts';

const name = { name: EditorName };
const ofSite = editorRows(OF_SITE, {
  params: OF_SITE.params.extend(name),
  read: 'config:read',
  write: 'config:write',
  tag: 'Sites',
  writeErrors: SITE_WRITE_ERRORS,
});
const ofProfile = editorRows(OF_PROFILE, {
  params: OF_PROFILE.params.extend(name),
  read: 'org:read',
  write: 'org:configure',
  tag: 'Profiles',
  writeErrors: PROFILE_WRITE_ERRORS,
});

/** The entries of the part `editor`, which is kept for editors and means nothing here. */
export const editorEndpoints = {
  getSiteEditorEntry: ofSite.get,
  setSiteEditorEntry: ofSite.set,
  deleteSiteEditorEntry: ofSite.remove,
  getProfileEditorEntry: ofProfile.get,
  setProfileEditorEntry: ofProfile.set,
  deleteProfileEditorEntry: ofProfile.remove,
} as const;

interface EditorRow<Params extends z.ZodObject> {
  readonly params: Params;
  readonly read: Permission;
  readonly write: Permission;
  readonly tag: 'Sites' | 'Profiles';
  readonly writeErrors: readonly ErrorCode[];
}

function editorRows<Params extends z.ZodObject>(
  { address, missing, noun }: Pick<typeof OF_SITE | typeof OF_PROFILE, 'address' | 'missing' | 'noun'>,
  { params, read, write, tag, writeErrors }: EditorRow<Params>,
) {
  const common = { path: `${address}/editor/{name}.json`, params, tag, preconditions: true } as const;
  return {
    get: endpoint({
      ...common,
      method: 'GET',
      query: NO_QUERY,
      permission: read,
      answers: { 200: { description: 'the entry', media: ['application/json'], schema: Json } },
      errors: [...missing, 'PART_NOT_FOUND'],
      summary: `Read one editor configuration of ${noun}`,
    }),
    set: endpoint({
      ...common,
      method: 'POST',
      query: ChangeQuery,
      body: json(EditorEntry),
      permission: write,
      answers: { 200: stored('the entry', EditorEntry) },
      errors: [...missing, ...writeErrors],
      summary: `Set one editor configuration of ${noun}`,
    }),
    remove: endpoint({
      ...common,
      method: 'DELETE',
      query: ChangeQuery,
      permission: write,
      answers: { 200: dryRun, 204: { description: 'removed' } },
      errors: [...missing, ...writeErrors, 'PART_NOT_FOUND'],
      summary: `Remove one editor configuration of ${noun}`,
    }),
  } as const;
}
