import type { Context } from '../domain/context.ts';
import { Refusal } from '../domain/errors.ts';
import type { StoredProfile } from '../domain/ports.ts';

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
  return new Refusal('PART_NOT_FOUND', `Profile "${org}/${profile}" has no ${part}.`);
}
