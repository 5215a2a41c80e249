import { hasNoChanges } from '@repoless/core/history/change.ts';
import type { MessagesOf } from '@repoless/core/messages/language.ts';
import { useState } from 'react';
import { TextButton } from '../../ui/TextButton.tsx';
import { Card } from '../../ui/Card.tsx';
import { Consequences, useConfirmation } from '../../ui/Consequences.tsx';
import { Explanation, Loading } from '../../ui/Notice.tsx';
import { useFocusOnArrival } from '../../ui/focus.ts';
import { useMessages } from '../../ui/use-messages.ts';
import { ChangeList } from '../history/ChangeList.tsx';
import { explainHere } from './notices.tsx';
import type { Editor, Phase } from './use-edit.ts';

/** Defaults to those of access. */
type ReviewMessages = MessagesOf<'access'>['review'] | MessagesOf<'configuration'>['form']['review'];

interface Props<Draft> {
  readonly kind: 'site' | 'organization';
  readonly editor: Editor<Draft>;
  readonly messages?: ReviewMessages;
  /** Why the draft cannot be previewed now: some input is not part of it yet. */
  readonly blocked?: string | undefined;
  /** Shown after a refusal, in addition to the reason. */
  readonly further?: readonly string[];
  readonly onShowProblem?: (() => void) | undefined;
  readonly onDiscarded?: () => void;
}

/** Leads from a draft to the stored state: first the preview, then saving. */
export function ReviewBar<Draft>({ kind, editor, messages: own, blocked, further = [], onShowProblem, onDiscarded }: Props<Draft>) {
  const messages = useMessages();
  const access = useMessages('access');
  const review = own ?? access.review;
  const gone = access.gone[kind];
  const { phase } = editor;
  /** How often the person returned to the draft, which moves focus there. */
  const [returned, setReturned] = useState(0);
  const bar = useFocusOnArrival<HTMLDivElement>(returned > 0 ? returned : undefined);
  const comeBack = (leave: () => void): void => {
    leave();
    setReturned(returned + 1);
  };
  const focus = useFocusOnArrival<HTMLDivElement>(phase.state === 'refused' || phase.state === 'gone' ? phase : undefined);
  switch (phase.state) {
    case 'looking':
      return <Loading text={review.looking} />;
    case 'saving':
      return <Loading text={review.saving} />;
    case 'review':
      return (
        <Review
          kind={kind}
          messages={review}
          phase={phase}
          onSave={(confirm) => void editor.save(confirm)}
          onBack={() => comeBack(editor.back)}
        />
      );
    case 'editing':
    case 'gone':
    case 'refused':
      return (
        <>
          {phase.state === 'gone' && <Explanation title={gone.title} explained={gone} focus={focus} />}
          {phase.state === 'refused' && (
            <Explanation
              title={{ save: review.refused, check: review.lookRefused, lost: review.lost.title }[phase.after]}
              explained={phase.after === 'lost' ? review.lost : explainHere(messages, phase.failure)}
              details={[...editor.further, ...further]}
              focus={focus}
            >
              {onShowProblem !== undefined && <TextButton onPress={onShowProblem} text={access.review.showProblem} />}
            </Explanation>
          )}
          <div className="rp-actions" role="group" aria-label={review.label} tabIndex={-1} ref={bar}>
            <TextButton
              variant="accent"
              isDisabled={!editor.isChanged || blocked !== undefined}
              onPress={() => void editor.check()}
              text={review.look}
            />
            {editor.isChanged || blocked !== undefined ? (
              <TextButton
                onPress={() =>
                  comeBack(() => {
                    editor.discard();
                    onDiscarded?.();
                  })
                }
                text={review.discard}
              />
            ) : (
              <span className="rp-quiet">{review.nothing}</span>
            )}
            {blocked !== undefined && <span className="rp-quiet">{blocked}</span>}
          </div>
        </>
      );
    default:
      return phase satisfies never;
  }
}

interface ReviewProps extends Pick<Props<unknown>, 'kind'> {
  readonly messages: ReviewMessages;
  readonly phase: Extract<Phase, { state: 'review' }>;
  readonly onSave: (confirm: boolean) => void;
  readonly onBack: () => void;
}

/** What will be stored, as sentences; what another person stored in the meantime; and what it costs the caller. */
function Review({ kind, messages, phase, onSave, onBack }: ReviewProps) {
  const { changes, consequences, locksOut, theirs } = phase;
  const confirmation = useConfirmation(consequences);
  const isSame = hasNoChanges(changes);
  const title = theirs === undefined ? messages.title : messages.overtaken({ who: theirs.by });
  return (
    <Card id="rp-access-review" title={title} focusOn={phase}>
      {theirs !== undefined && (
        <>
          <p>{theirs.isReplaced ? messages.replacedText : messages.overtakenText}</p>
          <h3>{messages.theirs}</h3>
          <ChangeList changes={theirs.changes} label={messages.theirs} />
          <h3>{messages.mine}</h3>
        </>
      )}
      {isSame ? <p>{messages.same}</p> : <ChangeList changes={changes} label={theirs === undefined ? title : messages.mine} />}
      <Consequences consequences={consequences} about={kind} confirmation={confirmation} />
      <div className="rp-actions">
        <TextButton
          variant={confirmation.isNeeded ? 'negative' : 'accent'}
          isDisabled={isSame || !confirmation.isConfirmed}
          onPress={() => onSave(locksOut)}
          text={messages.save}
        />
        <TextButton onPress={onBack} text={messages.back} />
        <span className="rp-quiet">{confirmation.hint}</span>
      </div>
    </Card>
  );
}
