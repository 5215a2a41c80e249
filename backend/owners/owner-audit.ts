import type { AuditEntry } from '../history/audit/ports.ts';
import type { Context } from '../domain/context.ts';
import { requireUser } from '../access/permit.ts';
import type { Owner } from './owner.ts';

/** What was done to what of an owner, and to which one: `set`, `secret`, `cm-byog`. */
export type Done = readonly [verb: 'set' | 'generate' | 'create' | 'delete', noun: 'secret' | 'api-key' | 'token', id: string];

/** The entry of the audit trail. */
export function ownerAudit(context: Context, owner: Owner, done: Done): AuditEntry {
  const { org, site } = owner;
  const entry = { org, time: context.now(), user: requireUser(context.caller).email, requestId: context.requestId };
  return { ...entry, ...(site === undefined ? {} : { site }), action: ownerAction(owner, done) };
}

/** Of a profile a part is set or removed, whatever is done to it. */
export function ownerAction({ profile }: Owner, [verb, noun, id]: Done): string {
  if (profile === undefined) return `${verb}-${noun}/${id}`;
  return `${verb === 'delete' ? 'delete' : 'set'}-profiles/${profile}/${noun}/${id}`;
}
