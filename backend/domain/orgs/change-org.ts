import type { Org, OrgInput } from '#contract/org.ts';
import type { Permission } from '#contract/permissions.ts';
import { sameValue } from '#contract/same-value.ts';
import { etagOf } from '../canonical.ts';
import type { Context } from '../context.ts';
import { difference, timeless } from '../difference.ts';
import type { Reads, StoredApiKey, StoredOrg, Writes } from '../ports.ts';
import { checkPreconditions } from '../preconditions.ts';
import { requireCapacity, requireSmall } from '../quotas/quotas.ts';
import { isStranger, permit, requirePerson, unclaimed, requireUser } from '../roles/permit.ts';
import type { Outcome, Result } from '../operation.ts';
import { addVersion, otherName, unnamed, warned } from '../changes/run-change.ts';
import type { StoredSecret } from '../secrets/stored-secret.ts';
import { removeUnnamedSecrets, storeSecrets, takenSecrets } from '../secrets/take-secrets.ts';
import { ORG_PLACE } from '../owners/owner.ts';
import { checkOrg, claimedOrg, replacedOrg } from './complete-org.ts';
import { alreadyClaimed } from './prove-claim.ts';
import { keepAdmins } from '../roles/prevent-lockout.ts';
import { issuedKeys, withIssuedKeys, withoutIssuedKeys } from './issued-keys.ts';
import { WHOLE_ORG } from './org-view.ts';
import type { OrgView } from './org-view.ts';

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
  /** The version that `next` answers. */
  readonly restores?: number;
  /** What the organization shall be. In: what is stored. Refuses by throwing. */
  next(present: StoredOrg | undefined, reads: Reads): Promise<OrgInput> | OrgInput;
}

/** What a change comes to, before anything is stored. */
export interface OrgDecision {
  readonly present: StoredOrg | undefined;
  readonly config: Org;
  readonly etag: string;
  readonly changed: boolean;
  /** What of its secrets is stored apart. */
  readonly secrets?: readonly StoredSecret[];
  /** Its API keys that were issued here, where the call is about the whole of it. */
  readonly issued: readonly StoredApiKey[];
  /** What of the input has no effect, a sentence each. */
  readonly warnings: readonly string[];
}

/**
 * Changes an organization: permission, preconditions, rules, and one transaction with the change, its version and its audit
 * row. With `?dryRun=true` everything but the storing. A change of nothing stores nothing and answers what is stored.
 */
export async function changeOrg(context: Context, change: OrgChange): Promise<Outcome> {
  if (change.query.dryRun === true) return dryRun(change, await decide(context, change, context.store.reads));
  const decision = await context.store.write(
    async (writes: Writes) => {
      const made = await decide(context, change, writes);
      if (made.changed) await recordOrgChange(context, change, made, writes);
      return made;
    },
    { kind: 'org', org: change.org },
  );
  return warned(outcome(change, decision), warningsOf(change, decision));
}

async function decide(context: Context, change: OrgChange, reads: Reads): Promise<OrgDecision> {
  const present = await reads.org(change.org);
  // Two claims at once: the second one has proven that it may know.
  if (present !== undefined && change.creates === true && isStranger(context.caller, present.config)) throw alreadyClaimed(present.config);
  permit(context.caller, change.permission, { name: change.org, org: present });
  const whole = present !== undefined && change.view === undefined;
  const issued = whole ? await issuedKeys(context.caller, reads, present.config) : [];
  const shown = present === undefined ? undefined : read(change.view, present.config, issued);
  if (change.ifMatch !== undefined || change.ifNoneMatch !== undefined) {
    checkPreconditions(change, shown === undefined ? undefined : etagOf(shown));
  }
  const input = withoutIssuedKeys(await change.next(present, reads), issued);
  const config = present === undefined ? begun(context, change, input) : replacedOrg(context, present.config, input);
  const warnings = otherName(input.name, change.org);
  const secrets = await takenSecrets(
    context,
    reads,
    { org: change.org, site: ORG_PLACE },
    { sent: input.secrets, restores: change.restores },
  );
  if (present !== undefined && secrets.length === 0 && sameValue(timeless(present.config), timeless(config))) {
    return { present, config: present.config, etag: present.etag, changed: false, issued, warnings };
  }
  const bytes = requireSmall(config, `The organization "${change.org}"`);
  requireCapacity(context.settings.quotas, change.org, await reads.usage(change.org), { versions: 1, bytes });
  checkOrg(config, answered(change));
  if (present !== undefined) keepAdmins(context.caller, config, change.query.confirm === true);
  return { present, config, etag: etagOf(config), changed: true, secrets, issued, warnings };
}

/** What is answered of an organization. */
function read(view: OrgView | undefined, org: Org, issued: readonly StoredApiKey[]): unknown {
  return view === undefined || view === WHOLE_ORG ? withIssuedKeys(org, issued) : view.read(org);
}

function begun(context: Context, change: OrgChange, input: OrgInput): Org {
  if (change.creates !== true) throw unclaimed(change.org, context.caller);
  return claimedOrg(context, change.org, input, requirePerson(context.caller));
}

function outcome(change: OrgChange, decision: OrgDecision): Outcome {
  const body = read(answered(change), decision.config, decision.issued);
  if (body === undefined) return { result: 'removed' };
  return { result: resultOf(change, decision), body, etag: body === decision.config ? decision.etag : etagOf(body) };
}

function dryRun(change: OrgChange, decision: OrgDecision): Outcome {
  const view = change.view ?? WHOLE_ORG;
  const before = decision.present === undefined ? undefined : view.read(decision.present.config);
  const after = view.read(decision.config);
  const diff = after === undefined ? [{ op: 'remove' as const, path: '' }] : difference(before ?? {}, after);
  const told = warningsOf(change, decision);
  const trial = {
    result: resultOf(change, decision),
    body: read(answered(change), decision.config, decision.issued) ?? null,
    diff,
    ...(told.length > 0 && { warnings: told }),
  };
  return { result: 'done', trial };
}

function warningsOf({ query }: OrgChange, decision: OrgDecision): string[] {
  return [...decision.warnings, ...unnamed(query, decision)];
}

function resultOf(change: OrgChange, { present, config }: OrgDecision): Result {
  if (present === undefined) return 'created';
  return answered(change).read(config) === undefined ? 'removed' : 'done';
}

function answered(change: OrgChange): OrgView {
  return change.answers ?? change.view ?? WHOLE_ORG;
}

interface OrgRequest {
  readonly params: { readonly org: string };
  readonly query: OrgChange['query'];
  readonly ifMatch?: string;
  readonly ifNoneMatch?: string;
}

/** What every change of an organization takes over from its call. */
export function orgRequest({
  params,
  query,
  ifMatch,
  ifNoneMatch,
}: OrgRequest): Pick<OrgChange, 'org' | 'query' | 'ifMatch' | 'ifNoneMatch'> {
  return {
    org: params.org,
    query,
    ...(ifMatch === undefined ? {} : { ifMatch }),
    ...(ifNoneMatch === undefined ? {} : { ifNoneMatch }),
  };
}

/** Stores a change of an organization with its numbered version and its audit row. */
async function recordOrgChange(context: Context, change: OrgChange, decision: OrgDecision, writes: Writes): Promise<void> {
  const { org } = change;
  const { config, etag } = decision;
  const user = requireUser(context.caller).email;
  const time = context.now();
  const from = decision.present?.version;
  const version = (from ?? 0) + 1;
  await writes.putOrg({ org, config, etag, version });
  await addVersion(context, writes, {
    subject: { kind: 'org', org },
    version,
    data: config,
    time,
    name: change.query.versionName,
    restores: change.restores,
  });
  await writes.addAudit({
    org,
    time,
    user,
    action: change.action,
    requestId: context.requestId,
    to: version,
    ...(from === undefined ? {} : { from }),
  });
  await storeSecrets(context, writes, decision.secrets ?? []);
  await removeUnnamedSecrets(
    context,
    writes,
    { org, site: ORG_PLACE },
    {
      before: decision.present?.config.secrets,
      after: config.secrets,
      action: change.action,
    },
  );
}
