import { jsonPointer } from '#contract/errors.ts';
import type { FieldError } from '#contract/errors.ts';
import type { Org } from '#contract/org.ts';
import { Refusal } from '../errors.ts';
import { checkGroups } from '../roles/check-groups.ts';
import type { OrgView } from './org-view.ts';

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
    throw error instanceof Refusal ? within(error, view.pointer(config)) : error;
  }
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
