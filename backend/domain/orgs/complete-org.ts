import type { Org, OrgInput, OrgUser } from '#contract/org.ts';
import { canonical } from '../canonical.ts';
import type { User } from '../caller.ts';
import type { Context } from '../context.ts';
import { withoutValues } from '../secrets/take-secrets.ts';

/** The organization as it is stored when it is claimed: its claimant is its first admin. */
export function claimedOrg(context: Context, name: string, input: OrgInput, claimant: User): Org {
  const isClaimant = (email: string) => email.toLowerCase() === claimant.email.toLowerCase();
  const sent = input.users ?? [];
  const roles = sent.filter((user) => isClaimant(user.email)).flatMap((user) => user.roles);
  const first = { email: claimant.email, roles: [...new Set(['admin' as const, ...roles])] };
  const users = [first, ...sent.filter((user) => !isClaimant(user.email))];
  return completed(context, name, { ...input, users }, [], context.now().toISOString());
}

/** The organization as it is stored when it is replaced: users left out stay, and keep their identifiers. */
export function replacedOrg(context: Context, before: Org, input: OrgInput): Org {
  return completed(context, before.name, { ...input, users: input.users ?? before.users }, before.users, before.created);
}

function completed(context: Context, name: string, input: OrgInput, before: readonly OrgUser[], created: string): Org {
  const users = (input.users ?? []).map((user) => ({
    ...user,
    id: user.id ?? before.find((known) => known.email.toLowerCase() === user.email.toLowerCase())?.id ?? context.newId(),
  }));
  return canonical({
    ...input,
    ...withoutValues(input),
    version: 1,
    name,
    created,
    lastModified: context.now().toISOString(),
    users,
  } satisfies Org);
}
