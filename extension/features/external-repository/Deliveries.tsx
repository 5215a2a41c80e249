import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { StatusLight } from '@adobe/react-spectrum/StatusLight';
import { useState } from 'react';
import type { Delivery } from '@repoless/contract/build-management-deliveries.ts';
import type { Arrival } from '@repoless/core/sync/arrival.ts';
import type { Failure, Known } from '@repoless/core/situation/situation.ts';
import { explainFailure } from '@repoless/core/messages/explain-failure.ts';
import { Explanation } from '../../ui/Explanation.tsx';
import { Age } from '../../ui/Age.tsx';
import { useMessages } from '../../ui/use-messages.ts';

interface Props {
  readonly deliveries: readonly Delivery[];
  readonly arrival: Arrival;
  readonly resend: (delivery: string) => Promise<Known<Delivery>>;
  /** One was sent again: read them afresh. */
  readonly onChanged: () => void;
}

const FIRST = 5;

/** The last events of the git vendor, what became of each, and a way to send it again. */
export function Deliveries({ deliveries, arrival, resend, onChanged }: Props) {
  const messages = useMessages('sync').external.deliveries;
  const [shown, setShown] = useState(FIRST);
  if (deliveries.length === 0) return <p>{messages.empty[arrival]}</p>;
  return (
    <>
      <ul className="rp-plain-list rp-deliveries" aria-label={messages.title}>
        {deliveries.slice(0, shown).map((delivery) => (
          <Line key={delivery.id} delivery={delivery} resend={resend} onChanged={onChanged} />
        ))}
      </ul>
      {deliveries.length > shown && (
        <div>
          <ActionButton isQuiet onPress={() => setShown(deliveries.length)}>
            {messages.more({ count: deliveries.length - shown })}
          </ActionButton>
        </div>
      )}
    </>
  );
}

interface LineProps extends Pick<Props, 'resend' | 'onChanged'> {
  readonly delivery: Delivery;
}

function Line({ delivery, resend, onChanged }: LineProps) {
  const messages = useMessages('sync');
  const { deliveries: texts } = messages.external;
  const [sending, setSending] = useState<'no' | 'yes' | Failure>('no');
  const { event, changes, outcome, detail, attempts, received, user } = delivery;
  const branches =
    changes.map(({ branch, type }) => (type === 'deleted' ? texts.branchDeleted({ branch }) : branch)).join(', ') || texts.noBranch;
  const commit = changes.find((change) => change.commit !== undefined)?.commit;
  const send = async (): Promise<void> => {
    setSending('yes');
    const sent = await resend(delivery.id);
    setSending(sent.state === 'failed' ? sent.failure : 'no');
    onChanged();
  };
  return (
    <li className="rp-branch">
      <div className="rp-branch-head">
        <span className="rp-strong rp-code">{branches}</span>
        <StatusLight variant={TONES[outcome]} UNSAFE_className="rp-row-light">
          {texts.outcomes[outcome]}
        </StatusLight>
      </div>
      <p className="rp-quiet">
        {event} · <Age time={received} />
        {commit !== undefined && (
          <>
            {' · '}
            <code title={commit}>{commit.slice(0, 10)}</code>
          </>
        )}
        {attempts > 1 && ` · ${texts.attempts({ count: attempts })}`}
        {user !== undefined && ` · ${user}`}
      </p>
      {detail !== undefined && <p>{detail}</p>}
      <div>
        <ActionButton
          isDisabled={sending === 'yes'}
          {...(sending === 'yes' ? {} : { 'aria-label': texts.resendOf({ event, branches }) })}
          onPress={() => void send()}
        >
          {sending === 'yes' ? texts.resending : texts.resend}
        </ActionButton>
      </div>
      {typeof sending === 'object' && <Explanation explained={explainFailure(messages, sending)} />}
    </li>
  );
}

const TONES = { accepted: 'info', done: 'positive', ignored: 'neutral', refused: 'negative', failed: 'negative' } as const;
