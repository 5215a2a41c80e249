import { Button } from '@adobe/react-spectrum/Button';
import { useLocale } from '@adobe/react-spectrum/Provider';
import { explainWork } from '@repoless/core/messages/explain-work.ts';
import { planPeople, planWork } from '@repoless/core/plan/plan-work.ts';
import type { Plan } from '@repoless/core/plan/plan.ts';
import type { Target } from '@repoless/core/situation/situation.ts';
import { useMessages } from '../../ui/use-messages.ts';

interface Props {
  readonly plan: Plan;
  readonly target: Target;
  /** The e-mail address of who is signed in. */
  readonly caller: string | undefined;
  /** The plan is being read afresh, or something else runs. */
  readonly isWaiting: boolean;
  /** The first field that is not usable as it is; absent where all are. */
  readonly invalidField: { readonly label: string; readonly show: () => void } | undefined;
  readonly onStart: () => void;
  readonly onRead: () => void;
}

/** What will be different, what that does to people, and the button that does it. */
export function PlanOffer({ plan, target, caller, isWaiting, invalidField, onStart, onRead }: Props) {
  const messages = useMessages('setup');
  const { locale } = useLocale();
  const work = planWork(plan);
  const explained = explainWork(messages, work, { target, people: planPeople(plan), caller, locale });
  if (explained === undefined && work.kind !== 'unknown') return null;
  const isValid = invalidField === undefined;
  return (
    <div className="rp-offer">
      {explained !== undefined && <p>{explained.sentence}</p>}
      {explained !== undefined && explained.people.length > 0 && (
        <ul className="rp-work-people">
          {explained.people.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
      <div className="rp-actions">
        {explained !== undefined && (
          <Button variant="accent" isDisabled={plan.blocked || !isValid || isWaiting} onPress={onStart}>
            {explained.button}
          </Button>
        )}
        {plan.blocked && isValid && <span className="rp-quiet">{messages.run.blocked}</span>}
        {invalidField !== undefined && (
          <>
            <span className="rp-quiet">{messages.run.invalid}</span>
            <Button variant="secondary" onPress={invalidField.show}>
              {messages.run.showField({ label: invalidField.label })}
            </Button>
          </>
        )}
        {plan.blocked && isValid && (
          <Button variant="secondary" isDisabled={isWaiting} onPress={onRead}>
            {messages.run.readAgain}
          </Button>
        )}
      </div>
    </div>
  );
}
