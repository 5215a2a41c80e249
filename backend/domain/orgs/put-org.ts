import { createPatch } from 'rfc6902';
import type { endpoints } from '#contract/endpoints.ts';
import type { DryRun } from '#contract/history.ts';
import type { Org } from '#contract/org.ts';
import { etagOf, sameValue } from '../canonical.ts';
import type { Context } from '../context.ts';
import { Refusal } from '../errors.ts';
import type { Reads, StoredOrg } from '../ports.ts';
import { checkPreconditions } from '../preconditions.ts';
import { permit, requireHeader, requireUser } from '../roles/permit.ts';
import { rolesOf } from '../roles/roles-of.ts';
import type { Input, Outcome, Verb } from '../verb.ts';
import { challengeKey } from './challenge.ts';
import { claimedOrg, replacedOrg } from './complete-org.ts';
import { proveClaim } from './prove-claim.ts';

type PutOrg = (typeof endpoints)['putOrg'];

/** Claims an organization, or replaces its configuration (its admins alone). Serves PUT and POST. */
export const putOrg: Verb<PutOrg> = async (context, input) => {
  const { org } = input.params;
  const caller = requireUser(context.caller);
  requireHeader(caller);
  const isClaim = (await context.store.reads.org(org)) === undefined;
  if (isClaim) await proveClaim(context, org, caller);
  if (input.query.dryRun === true) return rehearsal(await decide(context, input, context.store.reads));
  const decision = await context.store.write(async (writes) => {
    const made = await decide(context, input, writes);
    if (!made.changed) return made;
    const version = (made.present?.version ?? 0) + 1;
    await writes.putOrg({ org, config: made.config, etag: etagOf(made.config), version });
    await writes.addAudit({
      org,
      time: context.now(),
      user: caller.email,
      action: made.present === undefined ? 'claim-org' : 'put-org',
      requestId: context.requestId,
      to: version,
      ...(made.present === undefined ? {} : { from: made.present.version }),
    });
    return made;
  });
  if (isClaim) await context.store.shortLived.take('challenge', challengeKey(org, caller));
  return { status: statusOf(decision), body: decision.config, etag: etagOf(decision.config) };
};

interface Decision {
  readonly present: StoredOrg | undefined;
  readonly config: Org;
  readonly changed: boolean;
}

async function decide(context: Context, input: Input<PutOrg>, reads: Reads): Promise<Decision> {
  const name = input.params.org;
  const present = await reads.org(name);
  if (present !== undefined) permit(context.caller, 'org:write', { name, org: present });
  checkPreconditions(input, present?.etag);
  if (present === undefined) return { present, config: claimedOrg(context, name, input.body, requireUser(context.caller)), changed: true };
  const config = replacedOrg(context, present.config, input.body);
  if (sameValue(timeless(present.config), timeless(config))) return { present, config: present.config, changed: false };
  keepAdmins(context, config, input.query.confirm === true);
  return { present, config, changed: true };
}

function keepAdmins(context: Context, config: Org, confirmed: boolean): void {
  if (!config.users.some((user) => user.roles.includes('admin'))) {
    throw new Refusal('WOULD_LOCK_OUT', 'An organization needs at least one user with the role "admin".');
  }
  if (confirmed || rolesOf(context.caller, config).has('admin')) return;
  throw new Refusal('WOULD_LOCK_OUT', 'With this change you would no longer administer the organization.', {
    detail: 'With this change you would no longer administer the organization. Keep yourself among its users, or send ?confirm=true.',
  });
}

function rehearsal(decision: Decision): Outcome {
  const diff = createPatch(timeless(decision.present?.config), timeless(decision.config));
  const body: DryRun = {
    dryRun: true,
    status: statusOf(decision),
    result: decision.config,
    diff: diff.map((operation) => ({ ...operation })),
  };
  return { status: 200, body };
}

function statusOf(decision: Decision): number {
  return decision.present === undefined ? 201 : 200;
}

function timeless(config: Org | undefined): Partial<Org> {
  const { created: _created, lastModified: _lastModified, ...rest } = config ?? {};
  return rest;
}
