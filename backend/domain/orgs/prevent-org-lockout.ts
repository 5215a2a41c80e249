import type { Org } from '#contract/org.ts';
import type { Caller } from '../caller.ts';
import { Refusal } from '../errors.ts';
import { createPresence } from '../roles/group-members.ts';
import { rolesOf } from '../roles/roles-of.ts';

/** Refuses an organization without any admin, and one that its caller would no longer administer unless confirmed. */
export function keepAdmins(caller: Caller, config: Org, confirmed: boolean): void {
  const meansAnybody = createPresence({ org: config.groups });
  if (!config.users.some((user) => user.roles.includes('admin') && meansAnybody(user.email))) {
    throw new Refusal('WOULD_LOCK_OUT', 'An organization needs at least one user with the role "admin".');
  }
  if (confirmed || rolesOf(caller, config).has('admin')) return;
  throw new Refusal(
    'WOULD_LOCK_OUT',
    'With this change you would no longer administer the organization. Keep yourself among its users, or send ?confirm=true.',
  );
}
