import { z } from 'zod';

/** Who somebody is, as an identity provider vouches for it. */
export const Identity = z.object({
  /** E-mail address, or the identifier of a technical account. */
  email: z.string().min(1),
  name: z.string().optional(),
  preferredUsername: z.string().optional(),
  /** The subject at the identity provider. */
  userId: z.string().optional(),
});
export type Identity = z.infer<typeof Identity>;

/** What access lists are matched against: e-mail, user id and preferred name, lower-cased, each once. */
export function namesOf(identity: Identity): readonly string[] {
  const names = [identity.email, identity.userId ?? '', identity.preferredUsername ?? ''].filter((name) => name !== '');
  return [...new Set(names.map((name) => name.toLowerCase()))];
}

const Claims = z.looseObject({
  sub: z.string().min(1).optional(),
  email: z.string().min(1).optional(),
  email_verified: z.boolean().optional(),
  name: z.string().optional(),
  preferred_username: z.string().min(1).optional(),
});

/**
 * Reads the claims of a checked token. In: its payload. Out: the identity, or undefined where the claims name nobody or
 * the provider says that the e-mail address is not verified: access lists are matched against it.
 */
export function identityOf(payload: unknown): Identity | undefined {
  const parsed = Claims.safeParse(payload);
  if (!parsed.success) return undefined;
  const { sub, email, email_verified: verified, name, preferred_username: preferred } = parsed.data;
  const address = email ?? preferred ?? sub;
  if (address === undefined || (email !== undefined && verified === false)) return undefined;
  return {
    email: address,
    ...(name !== undefined && { name }),
    ...(preferred !== undefined && { preferredUsername: preferred }),
    ...(sub !== undefined && { userId: sub }),
  };
}

/**
 * What an issuer may say of somebody, where it speaks for some domains alone (lower-cased): access lists know no issuers, so one
 * of them could name a person of another. Out: the identity with the names below these domains, or undefined where the e-mail
 * address is not.
 */
export function withinDomains({ email, name, ...others }: Identity, domains: readonly string[]): Identity | undefined {
  const isWithin = (one: string | undefined) => one !== undefined && domains.some((domain) => one.toLowerCase().endsWith(`@${domain}`));
  if (!isWithin(email)) return undefined;
  const { preferredUsername, userId } = others;
  return {
    email,
    ...(name !== undefined && { name }),
    ...(isWithin(preferredUsername) && { preferredUsername }),
    ...(isWithin(userId) && { userId }),
  };
}
