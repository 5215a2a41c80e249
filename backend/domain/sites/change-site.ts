import { createPatch } from 'rfc6902';
import type { Permission } from '#contract/permissions.ts';
import type { DryRun } from '#contract/history.ts';
import type { Site, SiteInput } from '#contract/site.ts';
import { etagOf, sameValue } from '../canonical.ts';
import type { Context } from '../context.ts';
import { Refusal } from '../errors.ts';
import type { Reads, StoredSite, Writes } from '../ports.ts';
import { checkPreconditions } from '../preconditions.ts';
import { keepAdministration } from '../roles/keep-administration.ts';
import { permit } from '../roles/permit.ts';
import type { Outcome } from '../verb.ts';
import { checkNeighbours, completeSite } from './check-site.ts';
import type { SiteName } from './check-site.ts';
import { recordChange } from './record-change.ts';
import { WHOLE_SITE } from './site-view.ts';
import type { SiteView } from './site-view.ts';

/** A change of a site, or of one part of it. */
export interface SiteChange {
  readonly name: SiteName;
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
  /** The part that the call is about; the whole site where it is left out. */
  readonly view?: SiteView;
  /** The site may be made by this change. */
  readonly creates?: true;
  /** What `next` answers was stored before, and keeps the time when it was made. */
  readonly restores?: true;
  /** What the site shall be, or null where it shall be removed. In: what is stored. Refuses by throwing. */
  next(present: StoredSite | undefined, reads: Reads): Promise<SiteInput | null> | SiteInput | null;
}

/** What a change comes to, before anything is stored. */
export interface Decision {
  readonly present: StoredSite | undefined;
  /** null: the site goes. */
  readonly config: Site | null;
  /** Of the configuration; absent where the site goes. */
  readonly etag?: string;
  readonly changed: boolean;
}

/**
 * Changes a site: permission, preconditions, rules, and one transaction with the change, its version and its audit row.
 * With `?dryRun=true` everything but the storing. A change of nothing stores nothing and answers what is stored.
 */
export async function changeSite(context: Context, change: SiteChange): Promise<Outcome> {
  if (change.query.dryRun === true) return rehearsal(change, await decide(context, change, context.store.reads));
  const decision = await context.store.write(async (writes: Writes) => {
    const made = await decide(context, change, writes);
    if (made.changed) await recordChange(context, change, made, writes);
    return made;
  });
  if (decision.changed && decision.config !== null) context.codeStored?.(change.name.org, decision.config.code);
  return outcome(change, decision);
}

async function decide(context: Context, change: SiteChange, reads: Reads): Promise<Decision> {
  const { caller } = context;
  const { name } = change;
  const { org: storedOrg, site: present } = await reads.orgAndSite(name.org, name.site);
  const org = permit(caller, change.permission, { name: name.org, org: storedOrg, site: present?.aggregate });
  if (present === undefined && change.creates !== true) {
    throw new Refusal('SITE_NOT_FOUND', 'Error updating config: config not found.', {
      detail: `There is no site "${name.org}/${name.site}". Register it first: PUT /config/${name.org}/sites/${name.site}.json.`,
    });
  }
  const view = change.view ?? WHOLE_SITE;
  if (change.ifMatch !== undefined || change.ifNoneMatch !== undefined) {
    const shown = present === undefined ? undefined : view.read(present.config);
    checkPreconditions(change, shown === undefined ? undefined : etagOf(shown));
  }
  const input = await change.next(present, reads);
  if (input === null) return { present, config: null, changed: true };
  const now = context.now().toISOString();
  const created = present?.config.created ?? (change.restores === true ? input.created : undefined) ?? now;
  const config = within(view, () => completeSite(name, input, { created, now }, context.settings));
  if (org !== undefined) {
    keepAdministration({ caller, org: org.config, before: present?.config, after: config, confirmed: change.query.confirm === true });
  }
  if (present !== undefined && sameValue(timeless(present.config), timeless(config)))
    return { present, config: present.config, etag: present.etag, changed: false };
  await checkNeighbours(reads, name, config, present?.config);
  return { present, config, etag: etagOf(config), changed: true };
}

function outcome(change: SiteChange, decision: Decision): Outcome {
  const status = statusOf(change, decision);
  if (status === 204 || decision.config === null) return { status: 204 };
  const body = (change.view ?? WHOLE_SITE).read(decision.config);
  return { status, body, etag: body === decision.config && decision.etag !== undefined ? decision.etag : etagOf(body) };
}

function rehearsal(change: SiteChange, decision: Decision): Outcome {
  const view = change.view ?? WHOLE_SITE;
  const before = decision.present === undefined ? undefined : view.read(decision.present.config);
  const after = decision.config === null ? undefined : view.read(decision.config);
  const body: DryRun = {
    dryRun: true,
    status: statusOf(change, decision),
    result: after ?? null,
    diff:
      after === undefined
        ? before === undefined
          ? []
          : [{ op: 'remove', path: '' }]
        : createPatch(timeless(before ?? {}), timeless(after)).map((operation) => ({ ...operation })),
  };
  return { status: 200, body };
}

function statusOf(change: SiteChange, decision: Decision): number {
  if (decision.config === null || (change.view ?? WHOLE_SITE).read(decision.config) === undefined) return 204;
  return decision.present === undefined ? 201 : 200;
}

// Pointers of a part's call lead into the part, as its body does.
function within<T>(view: SiteView, check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof Refusal) || error.errors === undefined) throw error;
    const errors = error.errors.map((item) => ({
      ...item,
      pointer: item.pointer.startsWith(`${view.pointer}/`) ? item.pointer.slice(view.pointer.length) : item.pointer,
    }));
    throw new Refusal(error.code, error.message, {
      errors,
      ...(error.detail === undefined ? {} : { detail: error.detail }),
      ...(error.data === undefined ? {} : { data: error.data }),
    });
  }
}

// The times that the service sets are no difference.
function timeless(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const { created: _created, lastModified: _lastModified, ...rest } = value as Record<string, unknown>;
  return rest;
}
