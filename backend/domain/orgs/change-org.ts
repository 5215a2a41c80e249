import type { DryRun } from '#contract/history.ts';
import type { Org, OrgInput } from '#contract/org.ts';
import type { Permission } from '#contract/permissions.ts';
import { etagOf, sameValue } from '../canonical.ts';
import type { Context } from '../context.ts';
import { difference, timeless } from '../difference.ts';
import type { Reads, StoredOrg, Writes } from '../ports.ts';
import { checkPreconditions } from '../preconditions.ts';
import { permit, requirePerson, unclaimed } from '../roles/permit.ts';
import type { Outcome } from '../verb.ts';
import { checkOrg } from './check-org.ts';
import { claimedOrg, replacedOrg } from './complete-org.ts';
import { keepAdmins } from './keep-admins.ts';
import { WHOLE_ORG } from './org-view.ts';
import type { OrgView } from './org-view.ts';
import { recordOrgChange } from './record-org-change.ts';

/** A change of an organization, or of one part of it. */
export interface OrgChange {
  readonly org: string;
  readonly permission: Permission;
  /** What the audit trail calls it. */
  readonly action: string;
  readonly query: {
    readonly dryRun?: boolean | undefined;
    readonly confirm?: boolean | undefined;
    readonly versionName?: string | undefined;
  };
  readonly ifMatch?: string;
  readonly ifNoneMatch?: string;
  /** The part that preconditions are about, and that is answered; the whole organization where it is left out. */
  readonly view?: OrgView;
  /** What is answered instead, where the call is about a list and tells of one of its entries. */
  readonly answers?: OrgView;
  /** The organization may be claimed by this change; the claim is proven already. */
  readonly creates?: true;
  /** What the organization shall be. In: what is stored. Refuses by throwing. */
  next(present: StoredOrg | undefined, reads: Reads): Promise<OrgInput> | OrgInput;
}

/** What a change comes to, before anything is stored. */
export interface OrgDecision {
  readonly present: StoredOrg | undefined;
  readonly config: Org;
  readonly etag: string;
  readonly changed: boolean;
}

/**
 * Changes an organization: permission, preconditions, rules, and one transaction with the change, its version and its audit
 * row. With `?dryRun=true` everything but the storing. A change of nothing stores nothing and answers what is stored.
 */
export async function changeOrg(context: Context, change: OrgChange): Promise<Outcome> {
  if (change.query.dryRun === true) return rehearsal(change, await decide(context, change, context.store.reads));
  const decision = await context.store.write(async (writes: Writes) => {
    const made = await decide(context, change, writes);
    if (made.changed) await recordOrgChange(context, change, made, writes);
    return made;
  });
  return outcome(change, decision);
}

async function decide(context: Context, change: OrgChange, reads: Reads): Promise<OrgDecision> {
  const present = await reads.org(change.org);
  permit(context.caller, change.permission, { name: change.org, org: present });
  const shown = present === undefined ? undefined : (change.view ?? WHOLE_ORG).read(present.config);
  if (change.ifMatch !== undefined || change.ifNoneMatch !== undefined) {
    checkPreconditions(change, shown === undefined ? undefined : etagOf(shown));
  }
  const input = await change.next(present, reads);
  const config = present === undefined ? begun(context, change, input) : replacedOrg(context, present.config, input);
  if (present !== undefined && sameValue(timeless(present.config), timeless(config))) {
    return { present, config: present.config, etag: present.etag, changed: false };
  }
  checkOrg(config, answered(change));
  if (present !== undefined) keepAdmins(context.caller, config, change.query.confirm === true);
  return { present, config, etag: etagOf(config), changed: true };
}

function begun(context: Context, change: OrgChange, input: OrgInput): Org {
  if (change.creates !== true) throw unclaimed(change.org);
  return claimedOrg(context, change.org, input, requirePerson(context.caller));
}

function outcome(change: OrgChange, decision: OrgDecision): Outcome {
  const body = answered(change).read(decision.config);
  if (body === undefined) return { status: 204 };
  return { status: statusOf(change, decision), body, etag: body === decision.config ? decision.etag : etagOf(body) };
}

function rehearsal(change: OrgChange, decision: OrgDecision): Outcome {
  const view = change.view ?? WHOLE_ORG;
  const before = decision.present === undefined ? undefined : view.read(decision.present.config);
  const after = view.read(decision.config);
  const diff = after === undefined ? [{ op: 'remove' as const, path: '' }] : difference(before ?? {}, after);
  const body: DryRun = {
    dryRun: true,
    status: statusOf(change, decision),
    result: answered(change).read(decision.config) ?? null,
    diff,
  };
  return { status: 200, body };
}

function statusOf(change: OrgChange, { present, config }: OrgDecision): number {
  if (present === undefined) return 201;
  return answered(change).read(config) === undefined ? 204 : 200;
}

function answered(change: OrgChange): OrgView {
  return change.answers ?? change.view ?? WHOLE_ORG;
}
