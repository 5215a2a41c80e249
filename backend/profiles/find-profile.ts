import { GRANTS } from '@repoless/contract/access.ts';
import { externalSource } from '@repoless/contract/code-source.ts';
import type { Org } from '@repoless/contract/org.ts';
import type { Profile, ProfileInput, Site } from '@repoless/contract/site.ts';

import { rolesOf, notAuthorized } from '../access/roles.ts';
import type { Caller, Context, DomainSettings } from '../domain/context.ts';
import { canonical } from '@repoless/contract/json.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import type { StoredProfile } from '../domain/ports.ts';
import { withoutValues } from '../secrets/take-secrets.ts';
import { DEFAULT_PROFILE } from '@repoless/contract/aggregate-site.ts';
import { refuseErrors } from '../sites/check-site.ts';
import { completeCode } from '@repoless/contract/complete-sources.ts';
import { completeContent, headerErrors } from '../sites/complete-site.ts';

export interface ProfileName {
  readonly org: string;
  readonly profile: string;
}

/** The stored profile. Refuses with PROFILE_NOT_FOUND. */
export async function findProfile(context: Context, name: ProfileName): Promise<StoredProfile> {
  const profile = await context.store.reads.profile(name.org, name.profile);
  if (profile === undefined) throw profileNotFound(name);
  return profile;
}

export function profileNotFound({ org, profile }: ProfileName): Refusal {
  const sentence = `The profile "${org}/${profile}" does not exist.`;
  return new Refusal('PROFILE_NOT_FOUND', sentence, {
    detail: `${sentence} Create it: PUT /config/${org}/profiles/${profile}.json.`,
    data: { org, profile },
  });
}

export function profilePartNotFound(part: string, { org, profile }: ProfileName): Refusal {
  return new Refusal('PART_NOT_FOUND', `Profile "${org}/${profile}" has no ${part}.`, { data: { part } });
}

/**
 * Refuses with NOT_AUTHORIZED a site that starts to extend another profile, unless the caller may read the profiles of the organization: a
 * profile's content can be read through the sites that extend it. Does not reveal whether the profile exists. The profile that applies to
 * sites by default is not a change. Takes the site with its profile before, and its own configuration after. Rule: docs/contract.md 3.12.
 */
export function mayExtend(caller: Caller, org: Org, before: Site | undefined, after: Site): void {
  const profile = after.extends?.profile;
  if (profile === undefined || profile === DEFAULT_PROFILE || profile === before?.extends?.profile) return;
  const roles = rolesOf(caller, org);
  if (GRANTS['org:read'].some((role) => roles.has(role))) return;
  throw notAuthorized(caller, org, {
    why: 'To make a site extend another profile, you need permission to read the profiles of the organization.',
    reason: 'profileRead',
    site: before,
  });
}

/**
 * Completes a client's profile into the stored one. A profile has no required parts; each of its sites is checked together with it. A
 * profile holds no secret: only one of all sites of a repository does.
 */
export function completeProfile(
  name: string,
  input: ProfileInput,
  times: { readonly created: string; readonly now: string },
  settings: Pick<DomainSettings, 'codeHost'>,
): Profile {
  const code = input.code === undefined ? undefined : completeCode(input.code, settings.codeHost);
  const content = input.content === undefined ? undefined : completeContent(input.content);
  refuseErrors([...(code?.errors ?? []), ...(content?.errors ?? []), ...headerErrors(input.headers)]);
  if (externalSource(code?.code)?.secretId !== undefined) throw secretInProfile();
  return canonical({
    ...input,
    ...withoutValues(input),
    version: 1,
    name,
    created: times.created,
    lastModified: times.now,
    ...(code === undefined ? {} : { code: code.code }),
    ...(content === undefined ? {} : { content: content.content }),
  } satisfies Profile);
}

function secretInProfile(): Refusal {
  const sentence = 'Omit secretId: a profile cannot hold a secret. The first site of the repository holds it, and the others use it.';
  return new Refusal('SECRET_NOT_ALLOWED', sentence, { errors: [{ pointer: '/code/source/secretId', detail: sentence }] });
}
