import { ROLE_NAMES } from '@repoless/contract/access.ts';
import type { endpoints } from '@repoless/contract/endpoints.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import type { OwnOrgs } from '@repoless/contract/org.ts';
import type { User } from '../domain/caller.ts';
import type { Context } from '../domain/context.ts';
import { requireUser } from '../access/permit.ts';
import { rolesOf } from '../access/roles-of.ts';
import type { Operation } from '../domain/operation.ts';

type Entry = OwnOrgs['orgs'][number];

/**
 * Lists the organizations in which the caller has a role. One that gives a role to everybody is no relation
 * to this caller, and is not listed; an API key is of one organization.
 */
export const listOwnOrgs: Operation<(typeof endpoints)['listOwnOrgs']> = async (context) => {
  const user = requireUser(context.caller);
  const orgs: Entry[] = [];
  let looked = 0;
  for await (const name of named(context, user)) {
    if (orgs.length === LIMITS.ownOrgs || looked === LIMITS.ownOrgsLooked) return { result: 'done', body: { orgs, more: true } };
    looked += 1;
    const entry = await entryOf(context, user, name);
    if (entry !== undefined) orgs.push(entry);
  }
  return { result: 'done', body: { orgs } };
};

/** Organizations that may have a role for the caller: their lists name it, or the domain of its address. */
async function* named({ store }: Context, { key, names }: User): AsyncGenerator<string> {
  if (key !== undefined) return yield key.org;
  const entries = [...new Set(names.flatMap((name) => [name, ...domainOf(name)]))];
  let after: string | undefined;
  for (;;) {
    const page = await store.reads.orgsNaming(entries, { limit: PAGE, ...(after === undefined ? {} : { after }) });
    yield* page;
    after = page.at(-1);
    if (page.length < PAGE) return undefined;
  }
}

async function entryOf({ store }: Context, user: User, name: string): Promise<Entry | undefined> {
  const stored = await store.reads.org(name);
  if (stored === undefined) return undefined;
  const granted = rolesOf(user, stored.config);
  const roles = ROLE_NAMES.filter((role) => granted.has(role));
  const { title } = stored.config;
  return roles.length === 0 ? undefined : { name, ...(title === undefined ? {} : { title }), roles };
}

function domainOf(name: string): string[] {
  const at = name.lastIndexOf('@');
  return at === -1 ? [] : [`*${name.slice(at)}`];
}

const PAGE = 50;
