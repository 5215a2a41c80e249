import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { StatusLight } from '@adobe/react-spectrum/StatusLight';
import { useState } from 'react';
import type { Delivery } from '#contract/build-management-deliveries.ts';
import type { Failure, Known } from '#extension/setup/situation.ts';
import { explainFailure } from '#extension/words/explain-failure.ts';
import { Explanation } from '../shared/Explanation.tsx';
import { Age } from '../shared/Age.tsx';
import { useSyncWords } from '../sync-status/use-sync-words.ts';

interface Props {
  readonly deliveries: readonly Delivery[];
  readonly resend: (delivery: string) => Promise<Known<Delivery>>;
  /** One was sent again: read them afresh. */
  readonly onChanged: () => void;
}

const FIRST = 5;

/** The last events of the git vendor, what became of each, and a way to send it again. */
export function Deliveries({ deliveries, resend, onChanged }: Props) {
  const words = useSyncWords().external.deliveries;
  const [shown, setShown] = useState(FIRST);
  if (deliveries.length === 0) return <p>{words.empty}</p>;
  return (
    <>
      <ul className="rp-plain-list rp-deliveries" aria-label={words.title}>
        {deliveries.slice(0, shown).map((delivery) => (
          <Line key={delivery.id} delivery={delivery} resend={resend} onChanged={onChanged} />
        ))}
      </ul>
      {deliveries.length > shown && (
        <div>
          <ActionButton isQuiet onPress={() => setShown(deliveries.length)}>
            {words.more(deliveries.length - shown)}
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
  const words = useSyncWords();
  const { deliveries: say } = words.external;
  const [sending, setSending] = useState<'no' | 'yes' | Failure>('no');
  const { event, changes, outcome, detail, attempts, received, user } = delivery;
  const branches = changes.map(({ branch, type }) => (type === 'deleted' ? say.branchDeleted(branch) : branch)).join(', ') || say.noBranch;
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
          {say.outcomes[outcome]}
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
        {attempts > 1 && ` · ${say.attempts(attempts)}`}
        {user !== undefined && ` · ${user}`}
      </p>
      {detail !== undefined && <p>{detail}</p>}
      <div>
        <ActionButton isDisabled={sending === 'yes'} aria-label={say.resendOf(event, branches)} onPress={() => void send()}>
          {sending === 'yes' ? say.resending : say.resend}
        </ActionButton>
      </div>
      {typeof sending === 'object' && <Explanation explained={explainFailure(words, sending)} />}
    </li>
  );
}

const TONES = { accepted: 'info', done: 'positive', ignored: 'neutral', refused: 'negative', failed: 'negative' } as const;
