import type { ConsequenceOfSites } from '@repoless/contract/consequence.ts';
import { type Change, hasNoChanges } from '../history/change.ts';
import type { HistorySubject } from '../history/history-port.ts';
import { type Call, type Failure, failureOf, isUncertain, type Known } from '../situation/call.ts';
import type { ServicePort } from '../situation/ports.ts';
import type { AccessKind, Base } from './access-kind.ts';

export type ChangePreview =
  | { readonly state: 'fits'; readonly changes: readonly Change[]; readonly consequences: readonly ConsequenceOfSites[] }
  /** The caller would lose administration; it can be confirmed. */
  | { readonly state: 'locks-out'; readonly changes: readonly Change[]; readonly consequences: readonly ConsequenceOfSites[] }
  | { readonly state: 'overtaken' }
  | { readonly state: 'gone' }
  | { readonly state: 'refused'; readonly failure: Failure };

export type Stored =
  | { readonly state: 'saved' | 'overtaken' | 'gone' }
  | { readonly state: 'refused'; readonly failure: Failure }
  /** It may have been stored: read the stored state again. */
  | { readonly state: 'uncertain'; readonly failure: Failure };

/** A change whose answer was lost: the state it was based on, and the draft that was sent. */
export interface Sent<Draft> {
  readonly base: Base;
  readonly draft: Draft;
}

/** The current stored state, and my change applied to it. */
export interface CaughtUp<Draft> {
  readonly base: Base;
  readonly draft: Draft;
  readonly theirs: readonly Change[];
  readonly by?: string;
  /** My change replaces some of theirs: both changed the same value. */
  readonly isReplaced: boolean;
  /** The change whose answer was lost is stored: the rest of the draft was entered later. */
  readonly isSent: boolean;
}

type Service = Pick<ServicePort, 'dryRun' | 'send' | 'stored' | 'history'>;

/** Asks the service for the effects of a change, without changing anything. */
export async function previewChange<Draft>(service: Service, kind: AccessKind<Draft>, base: Base, draft: Draft): Promise<ChangePreview> {
  const answer = await service.dryRun(callOf(kind, base, draft, false));
  if (answer.state === 'known') {
    const { diff, result, consequences = [] } = answer.value;
    return { state: 'fits', changes: diff.length === 0 ? [SAME] : kind.changes(base.value, result), consequences };
  }
  const failure = failureOf(answer);
  const passed = passedBy(failure);
  if (passed !== undefined) return { state: passed };
  if (failure.problem?.code !== 'WOULD_LOCK_OUT') return { state: 'refused', failure };
  const confirmed = await service.dryRun(callOf(kind, base, draft, true));
  if (confirmed.state !== 'known') return { state: 'refused', failure: failureOf(confirmed) };
  const { result, consequences = [] } = confirmed.value;
  return { state: 'locks-out', changes: kind.changes(base.value, result), consequences };
}

/** Stores the change in one call, if what was read is still current. */
export async function store<Draft>(service: Service, kind: AccessKind<Draft>, base: Base, draft: Draft, confirm: boolean): Promise<Stored> {
  const answer = await service.send(callOf(kind, base, draft, confirm));
  if (answer.state === 'known') return { state: 'saved' };
  const failure = failureOf(answer);
  const passed = passedBy(failure);
  return passed === undefined ? { state: isUncertain(failure) ? 'uncertain' : 'refused', failure } : { state: passed };
}

/**
 * Reads again after something else was stored: who changed what, my change applied to theirs, and whether it was my own change whose answer
 * was lost (`sent`). Missing if the document no longer exists.
 */
export async function catchUp<Draft>(
  service: Service,
  subject: HistorySubject,
  kind: AccessKind<Draft>,
  { base, draft }: Sent<Draft>,
  sent?: Sent<Draft>,
): Promise<Known<CaughtUp<Draft>>> {
  const [stored, versions] = await Promise.all([service.stored(kind.address), service.history.versions(subject)]);
  if (stored.state === 'failed' || (stored.state === 'missing' && !kind.isPart)) return stored;
  const next: Base = stored.state === 'known' ? stored.value : { value: undefined, etag: undefined };
  if (sent !== undefined && (await isStored(service, kind, sent, next))) {
    const left = kind.merge(sent.draft, draft, kind.draftOf(next.value));
    return { state: 'known', value: { base: next, draft: left, theirs: [], isReplaced: false, isSent: true } };
  }
  const by = versions.state === 'known' ? versions.value.versions[0]?.user : undefined;
  return {
    state: 'known',
    value: {
      base: next,
      draft: mergedOn(kind, { base, draft }, next),
      theirs: kind.changes(base.value, next.value),
      ...(by === undefined ? {} : { by }),
      isReplaced: kind.overlaps(kind.draftOf(base.value), draft, kind.draftOf(next.value)),
      isSent: false,
    },
  };
}

/** What a refusal says about a concurrent change; undefined if it is about something else. */
function passedBy({ problem }: Failure): 'overtaken' | 'gone' | undefined {
  if (problem?.code === 'PRECONDITION_FAILED') return 'overtaken';
  return problem?.code === 'SITE_NOT_FOUND' ? 'gone' : undefined;
}

/** The service normalizes values, so only the service can tell whether sending the change again would make a difference. */
async function isStored<Draft>(service: Service, kind: AccessKind<Draft>, sent: Sent<Draft>, now: Base): Promise<boolean> {
  if (now.etag === sent.base.etag) return false;
  const preview = await previewChange(service, kind, now, mergedOn(kind, sent, now));
  return preview.state === 'fits' && hasNoChanges(preview.changes);
}

function mergedOn<Draft>(kind: AccessKind<Draft>, { base, draft }: Sent<Draft>, now: Base): Draft {
  return kind.merge(kind.draftOf(base.value), draft, kind.draftOf(now.value));
}

/** Whether the caller may change it, by a dry run of the unchanged document. Returns the refusal, if any. */
export async function mayChange<Draft>(service: Service, kind: AccessKind<Draft>, base: Base): Promise<Failure | undefined> {
  const answer = await service.dryRun(callOf(kind, base, kind.draftOf(base.value), false));
  const failure = answer.state === 'failed' ? answer.failure : undefined;
  const code = failure?.problem?.code;
  // To callers without any role, the service says that it doesn't exist.
  return code === 'NOT_AUTHORIZED' || code === 'ORG_NOT_FOUND' ? failure : undefined;
}

const SAME: Change = { kind: 'same', area: 'whole', pointer: '' };

function callOf<Draft>(kind: AccessKind<Draft>, { value, etag }: Base, draft: Draft, confirm: boolean): Call {
  return {
    target: 'service',
    method: 'POST',
    address: `${kind.address}${confirm ? '?confirm=true' : ''}`,
    body: { type: 'json', value: kind.valueOf(value, draft) },
    ...(etag === undefined ? { ifNoneMatch: '*' as const } : { ifMatch: etag }),
  };
}
