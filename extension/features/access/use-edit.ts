import { sameValue } from '@repoless/contract/json.ts';
import type { ConsequenceOfSites } from '@repoless/contract/consequence.ts';
import type { AccessKind, Base } from '@repoless/core/access/access-kind.ts';
import { catchUp, type CaughtUp, previewChange, type Sent, store } from '@repoless/core/access/change-access.ts';
import type { Change } from '@repoless/core/history/change.ts';
import { valueProblem } from '@repoless/core/messages/explain-failure.ts';
import type { HistorySubject } from '@repoless/core/history/history-port.ts';
import type { ServicePort } from '@repoless/core/situation/ports.ts';
import type { Failure } from '@repoless/core/situation/call.ts';
import { useState } from 'react';
import { useMessages } from '../../ui/use-messages.ts';
import { useIsMounted } from '../../ui/use-reading.ts';
import { useUnsavedEntry } from '../../ui/use-guarded.ts';

export interface Theirs {
  readonly by?: string;
  readonly changes: readonly Change[];
  /** My change replaces some of it. */
  readonly isReplaced: boolean;
}

export type Phase =
  | { readonly state: 'editing' | 'looking' }
  /** `isStored`: it is stored, and is being read again. */
  | { readonly state: 'saving'; readonly isStored: boolean }
  | {
      readonly state: 'review';
      readonly changes: readonly Change[];
      readonly consequences: readonly ConsequenceOfSites[];
      readonly locksOut: boolean;
      readonly theirs?: Theirs;
    }
  /** The document was removed in the meantime. */
  | { readonly state: 'gone' }
  /** `after`: what was refused. `lost`: a save may have been stored, and what is stored cannot be read now. */
  | { readonly state: 'refused'; readonly failure: Failure; readonly after: 'check' | 'save' | 'lost' };

export interface Editor<Draft> {
  readonly stored: Draft;
  readonly draft: Draft;
  readonly isChanged: boolean;
  readonly phase: Phase;
  /** The service's error for an entry (see `problemKey`). */
  problemOf(key: string): string | undefined;
  readonly concerned: readonly string[];
  /** The service's other errors. */
  readonly further: readonly string[];
  edit(draft: Draft): void;
  discard(): void;
  /** Asks the service for the effects of the change: that of the draft, or of another draft, which replaces it. */
  check(draft?: Draft): Promise<void>;
  save(confirm: boolean): Promise<void>;
  back(): void;
}

/** The properties of a view that edits such a document. */
export interface Edited<Draft, Read extends { readonly base: Base } = { readonly base: Base }> {
  readonly service: ServicePort;
  readonly subject: HistorySubject;
  readonly kind: AccessKind<Draft>;
  /** What was read; replaced after each save. */
  readonly read: Read;
  readonly onUnsaved: (isUnsaved: boolean) => void;
  /** Called with the previously stored document and the one that was sent. */
  readonly onSaved: (before: unknown, after: unknown) => void;
}

/** How often a change is applied again to what others stored, before it fails. */
const OVERTAKEN_AT_MOST = 3;

/**
 * Edits a document that one call stores: a draft of what was read is previewed by the service, then stored. A stored document
 * counts as being saved until it was read again, so that nothing can be entered that the reading would replace.
 */
export function useEdit<Draft>({ service, subject, kind, read: { base: first }, onUnsaved, onSaved }: Edited<Draft>): Editor<Draft> {
  const [base, setBase] = useState(first);
  const isHere = useIsMounted();
  const messages = useMessages();
  const [draft, setDraft] = useState(() => kind.draftOf(first.value));
  const [phase, setPhase] = useState<Phase>({ state: 'editing' });
  useUnsavedEntry(phase.state === 'saving' && !phase.isStored, 'place', 'saving');
  /** A save without an answer, until it is known whether it is stored. */
  const [sent, setSent] = useState<Sent<Draft>>();
  const [read, setRead] = useState(first);
  if (first !== read) {
    setRead(first);
    setBase(first);
    setDraft(kind.draftOf(first.value));
    setSent(undefined);
    setPhase({ state: 'editing' });
  }
  const stored = kind.draftOf(base.value);
  const differs = (next: Draft, { value } = base): boolean =>
    !sameValue(kind.valueOf(value, next), kind.valueOf(value, kind.draftOf(value)));
  // After leaving, the unsaved state belongs to another entry.
  const report = (isUnsaved: boolean): void => {
    if (isHere()) onUnsaved(isUnsaved);
  };
  const edit = (next: Draft): void => {
    setDraft(next);
    setPhase({ state: 'editing' });
    onUnsaved(differs(next));
  };
  const refuse = (failure: Failure, after: Extract<Phase, { state: 'refused' }>['after']): void =>
    setPhase({ state: 'refused', failure, after });
  const done = ({ base: over, draft: saved }: Sent<Draft>): void => {
    setPhase({ state: 'saving', isStored: true });
    report(false);
    onSaved(over.value, kind.valueOf(over.value, saved));
  };

  /** Previews the change, applied to what another person stored in the meantime, if so. */
  const examine = async (over: Base, mine: Draft, theirs?: Theirs, times = 0): Promise<void> => {
    const preview = await previewChange(service, kind, over, mine);
    switch (preview.state) {
      case 'overtaken':
        return times < OVERTAKEN_AT_MOST ? follow(over, mine, times + 1) : refuse({ kind: 'refused', status: 412 }, 'check');
      case 'gone':
        return setPhase({ state: 'gone' });
      case 'refused':
        return refuse(preview.failure, 'check');
      case 'fits':
      case 'locks-out': {
        const { changes, consequences } = preview;
        const more = theirs === undefined ? {} : { theirs };
        return setPhase({ state: 'review', changes, consequences, locksOut: preview.state === 'locks-out', ...more });
      }
      default:
        return preview satisfies never;
    }
  };
  /** Continues from the current stored state. */
  const resume = async (caught: CaughtUp<Draft>, times: number): Promise<void> => {
    const { by, base: next, draft: merged, isReplaced, isSent } = caught;
    if (isSent) setSent(undefined);
    setBase(next);
    setDraft(merged);
    report(differs(merged, next));
    return examine(next, merged, isSent ? undefined : { changes: caught.theirs, isReplaced, ...(by === undefined ? {} : { by }) }, times);
  };
  const follow = async (over: Base, mine: Draft, times: number): Promise<void> => {
    const answer = await catchUp(service, subject, kind, { base: over, draft: mine }, sent);
    if (answer.state === 'missing') return setPhase({ state: 'gone' });
    if (answer.state === 'failed') return refuse(answer.failure, 'check');
    const isAll = answer.value.isSent && sent !== undefined && sameValue(sent.draft, mine);
    return isAll ? done(sent) : resume(answer.value, times);
  };
  /** A save got no answer: the stored state shows whether it succeeded. */
  const findOut = async (lost: Sent<Draft>, failure: Failure): Promise<void> => {
    setSent(lost);
    const answer = await catchUp(service, subject, kind, lost, lost);
    if (answer.state === 'missing') return setPhase({ state: 'gone' });
    if (answer.state === 'failed') return refuse(failure, 'lost');
    if (answer.value.isSent) return done(lost);
    return answer.value.base.etag === lost.base.etag ? refuse(failure, 'save') : resume(answer.value, 1);
  };
  const errors = phase.state === 'refused' ? (phase.failure.problem?.errors ?? []) : [];
  return {
    stored,
    draft,
    isChanged: differs(draft),
    phase,
    problemOf(key) {
      const error = errors.find(({ pointer }) => kind.entryAt(draft, pointer) === key);
      return error === undefined ? undefined : valueProblem(messages, error);
    },
    concerned: errors.map(({ pointer }) => kind.entryAt(draft, pointer)).filter((key) => key !== undefined),
    further: errors.filter(({ pointer }) => kind.entryAt(draft, pointer) === undefined).map((error) => valueProblem(messages, error)),
    edit,
    discard: () => edit(stored),
    async check(mine = draft) {
      setDraft(mine);
      onUnsaved(differs(mine));
      setPhase({ state: 'looking' });
      await examine(base, mine);
    },
    async save(confirm) {
      setPhase({ state: 'saving', isStored: false });
      const answer = await store(service, kind, base, draft, confirm);
      switch (answer.state) {
        case 'saved':
          return done({ base, draft });
        case 'overtaken':
          return follow(base, draft, 1);
        case 'gone':
          return setPhase({ state: 'gone' });
        case 'refused':
          return refuse(answer.failure, 'save');
        case 'uncertain':
          return findOut({ base, draft }, answer.failure);
        default:
          return answer satisfies never;
      }
    },
    back: () => setPhase({ state: 'editing' }),
  };
}
