import type { Change } from '../history/change.ts';
import type { HistorySubject } from '../history/subject.ts';
import type { Call } from '../plan.ts';
import type { ServicePort } from '../ports.ts';
import { failureOf } from '../failure-of.ts';
import type { Failure, Known } from '../situation.ts';
import type { AccessKind, Held } from './access-kind.ts';

export type Looked =
  | { readonly state: 'fits'; readonly changes: readonly Change[] }
  /** The caller would lose the administration; it can be confirmed. */
  | { readonly state: 'locks-out'; readonly changes: readonly Change[]; readonly failure: Failure }
  /** Somebody else changed it meanwhile. */
  | { readonly state: 'overtaken' }
  | { readonly state: 'refused'; readonly failure: Failure };

/** What another person stored meanwhile, and my change on it. */
export interface CaughtUp<Draft> {
  readonly held: Held;
  readonly draft: Draft;
  readonly theirs: readonly Change[];
  readonly by?: string;
}

type Service = Pick<ServicePort, 'dryRun' | 'send' | 'stored' | 'history'>;

/** Asks the service what a change would do, without changing anything. */
export async function lookAt<Draft>(service: Service, kind: AccessKind<Draft>, held: Held, draft: Draft): Promise<Looked> {
  const answer = await service.dryRun(callOf(kind, held, draft, false));
  if (answer.state === 'known') {
    return { state: 'fits', changes: answer.value.diff.length === 0 ? [SAME] : kind.changes(held.value, answer.value.result) };
  }
  const failure = failureOf(answer);
  if (failure.problem?.code === 'PRECONDITION_FAILED') return { state: 'overtaken' };
  if (failure.problem?.code !== 'WOULD_LOCK_OUT') return { state: 'refused', failure };
  const confirmed = await service.dryRun(callOf(kind, held, draft, true));
  return confirmed.state === 'known'
    ? { state: 'locks-out', changes: kind.changes(held.value, confirmed.value.result), failure }
    : { state: 'refused', failure: failureOf(confirmed) };
}

/** Stores the change over the state that was read, by one call. */
export async function store<Draft>(
  service: Service,
  kind: AccessKind<Draft>,
  held: Held,
  draft: Draft,
  confirm: boolean,
): Promise<{ readonly state: 'saved' | 'overtaken' } | { readonly state: 'refused'; readonly failure: Failure }> {
  const answer = await service.send(callOf(kind, held, draft, confirm));
  if (answer.state === 'known') return { state: 'saved' };
  const failure = failureOf(answer);
  return failure.problem?.code === 'PRECONDITION_FAILED' ? { state: 'overtaken' } : { state: 'refused', failure };
}

/** Reads again after somebody else was faster: who, what they changed, and my change made on theirs. */
export async function catchUp<Draft>(
  service: Service,
  subject: HistorySubject,
  kind: AccessKind<Draft>,
  held: Held,
  draft: Draft,
): Promise<Known<CaughtUp<Draft>>> {
  const [stored, versions] = await Promise.all([service.stored(kind.address), service.history.versions(subject)]);
  if (stored.state === 'failed') return stored;
  const next: Held = stored.state === 'known' ? stored.value : { value: undefined, etag: undefined };
  const by = versions.state === 'known' ? versions.value.versions[0]?.user : undefined;
  return {
    state: 'known',
    value: {
      held: next,
      draft: kind.merge(kind.draftOf(held.value), draft, kind.draftOf(next.value)),
      theirs: kind.changes(held.value, next.value),
      ...(by === undefined ? {} : { by }),
    },
  };
}

/** Whether the caller may change it: the very same is stored on trial. Out: the refusal, where there is one. */
export async function mayChange<Draft>(service: Service, kind: AccessKind<Draft>, held: Held): Promise<Failure | undefined> {
  const answer = await service.dryRun(callOf(kind, held, kind.draftOf(held.value), false));
  const failure = answer.state === 'failed' ? answer.failure : undefined;
  const code = failure?.problem?.code;
  // Who has no role at all is told that there is nothing.
  return code === 'NOT_AUTHORIZED' || code === 'ORG_NOT_FOUND' ? failure : undefined;
}

const SAME: Change = { kind: 'same', area: 'whole', pointer: '' };

function callOf<Draft>(kind: AccessKind<Draft>, { value, etag }: Held, draft: Draft, confirm: boolean): Call {
  return {
    target: 'service',
    method: 'POST',
    address: `${kind.address}${confirm ? '?confirm=true' : ''}`,
    body: { type: 'json', value: kind.valueOf(value, draft) },
    ...(etag === undefined ? { ifNoneMatch: '*' as const } : { ifMatch: etag }),
  };
}
