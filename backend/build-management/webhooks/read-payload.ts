import type { z } from 'zod';
import { BranchName } from '#contract/build-management-deliveries.ts';
import type { BranchChange } from '#contract/build-management-deliveries.ts';
import { Refusal } from '#backend/domain/errors.ts';
import type { VendorEvent } from './vendor-events.ts';

/** The body of an event. Refuses with BODY_UNPARSABLE. */
export function readPayload(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new Refusal('BODY_UNPARSABLE', 'error parsing request body');
  }
}

/** The body of a push as its vendor documents it. Refuses with BODY_INVALID. */
export function readPush<S extends z.ZodType>(schema: S, payload: unknown, hint = ''): z.output<S> {
  const parsed = schema.safeParse(payload);
  if (parsed.success) return parsed.data;
  const place = parsed.error.issues[0]?.path.join('.') ?? '';
  throw new Refusal('BODY_INVALID', `The body is no push event of this vendor: "${place}" is missing or of another form. ${hint}`.trim());
}

/** The event of a push: what is no branch, or has a name that no branch can have, is left out. */
export function pushEvent(about: Pick<VendorEvent, 'deliveryId' | 'event'>, changes: readonly (BranchChange | undefined)[]): VendorEvent {
  const known = changes.filter((change) => change !== undefined).filter(({ branch }) => BranchName.safeParse(branch).success);
  const last = [...new Map(known.map((change) => [change.branch, change])).values()];
  if (last.length === 0) return { ...about, changes: [], ignored: 'It changes no branch.' };
  return { ...about, changes: last.slice(0, MOST_BRANCHES) };
}

/** `refs/heads/feature/one` → `feature/one`; undefined for tags and others. */
export function branchOf(ref: string): string | undefined {
  return /^refs\/heads\/(.+)$/s.exec(ref)?.[1];
}

/** How all of git writes that there is no commit. */
export function isNothing(commit: string | null | undefined): boolean {
  return commit === null || commit === undefined || /^0+$/.test(commit);
}

/** A change by the commits before and after. */
export function branchChange(branch: string | undefined, after: string | null | undefined): BranchChange | undefined {
  if (branch === undefined) return undefined;
  return isNothing(after) ? { branch, type: 'deleted' } : { branch, type: 'updated', ...(typeof after === 'string' && { commit: after }) };
}

const MOST_BRANCHES = 100;
