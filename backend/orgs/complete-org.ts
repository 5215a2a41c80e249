import type { Org, OrgInput, OrgUser } from '@repoless/contract/org.ts';
import { jsonPointer } from '@repoless/contract/errors.ts';
import type { FieldError } from '@repoless/contract/errors.ts';
import { canonical } from '../domain/canonical.ts';
import type { User } from '../domain/caller.ts';
import type { Context } from '../domain/context.ts';
import { withoutValues } from '../secrets/take-secrets.ts';
import { Refusal } from '../domain/errors.ts';
import { checkGroups } from '../access/check-groups.ts';
import type { OrgView } from './org-view.ts';

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

/**
 * Refuses what breaks a rule of a whole organization: a user that is there twice, and groups that lead in a ring or too deep.
 * Pointers lead into the part that the call is about, as its body does.
 */
export function checkOrg(config: Org, view: OrgView): void {
  try {
    refuseErrors(twice(config, 'email'));
    refuseErrors(twice(config, 'id'));
    checkGroups(config.groups, { org: config.groups });
  } catch (error) {
    throw error instanceof Refusal ? within(error, view.pointerIn?.(config) ?? view.pointer) : error;
  }
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

function twice({ users }: Org, property: 'email' | 'id'): FieldError[] {
  const seen = new Set<string>();
  return users.flatMap((user, index) => {
    const value = user[property].toLowerCase();
    if (!seen.has(value)) return seen.add(value) && [];
    return [
      {
        pointer: jsonPointer(['users', index, property]),
        detail: `The user "${user[property]}" is listed twice. Keep one with all roles.`,
      },
    ];
  });
}

function refuseErrors(errors: readonly FieldError[]): void {
  const [first] = errors;
  if (first !== undefined) throw new Refusal('BODY_INVALID', first.detail, { errors });
}

function within(refusal: Refusal, pointer: string): Refusal {
  const errors = (refusal.errors ?? []).map((item) => ({
    ...item,
    pointer: `${item.pointer}/`.startsWith(`${pointer}/`) ? item.pointer.slice(pointer.length) : item.pointer,
  }));
  return new Refusal(refusal.code, refusal.message, { errors });
}
