import { completeCode, externalSource } from '@repoless/contract/code-source.ts';
import type { Profile, ProfileInput } from '@repoless/contract/site.ts';
import type { Context, DomainSettings } from '../domain/context.ts';
import { canonical } from '@repoless/contract/json.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import type { StoredProfile } from '../domain/ports.ts';
import { withoutValues } from '../secrets/take-secrets.ts';
import { refuseErrors } from '../sites/check-site.ts';
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
