import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { useCallback } from 'react';
import type { Rollout } from '#contract/rollout.ts';
import type { RolloutsPort } from '#extension/setup/rollouts/rollouts-port.ts';
import { isUnderWay, progressOf } from '#extension/setup/rollouts/standing.ts';
import { explainFailure } from '#extension/messages/explain-failure.ts';
import { Age } from '../shared/Age.tsx';
import { Explanation } from '../shared/Explanation.tsx';
import { Loading } from '../shared/Loading.tsx';
import { useReading } from '../shared/use-reading.ts';
import { useMessages } from '../messages/use-messages.ts';
import { RolloutState } from './RolloutState.tsx';
import { RolloutView } from './RolloutView.tsx';
import '../organization/overview.css';
import './rollouts.css';

interface Props {
  readonly port: RolloutsPort;
  readonly organization: string;
  /** The one that is looked at. */
  readonly opened: string | undefined;
  readonly onOpen: (id: string | undefined) => void;
  readonly onEnded: () => void;
}

/** Milliseconds between two looks at rollouts of which one is under way. */
const STEP = 5000;

/** The changes of many sites: all of them, or the one at hand. */
export function Rollouts({ port, organization, opened, onOpen, onEnded }: Props) {
  if (opened !== undefined) {
    return (
      <RolloutView key={opened} port={port} organization={organization} id={opened} onBack={() => onOpen(undefined)} onEnded={onEnded} />
    );
  }
  return <RolloutList port={port} organization={organization} onOpen={onOpen} />;
}

function RolloutList({ port, organization, onOpen }: Pick<Props, 'port' | 'organization' | 'onOpen'>) {
  const messages = useMessages('rollouts');
  const { rollouts } = messages;
  const read = useCallback(() => port.list(organization), [port, organization]);
  const [reading, again] = useReading(read, (list) => (list.some(isUnderWay) ? STEP : undefined));
  if (reading.state === 'loading') return <Loading text={rollouts.reading} />;
  if (reading.state === 'missing') return <p className="rp-empty">{rollouts.missing}</p>;
  if (reading.state === 'failed') {
    return (
      <Explanation title={rollouts.failed} explained={explainFailure(messages, reading.failure)}>
        <ActionButton onPress={again}>{messages.general.retry}</ActionButton>
      </Explanation>
    );
  }
  return (
    <section className="rp-list" aria-labelledby="rp-rollouts">
      <h2 id="rp-rollouts" className="rp-hidden">
        {rollouts.title}
      </h2>
      <p className="rp-quiet">{rollouts.text}</p>
      {reading.failure !== undefined && <Explanation title={rollouts.failed} explained={explainFailure(messages, reading.failure)} />}
      {reading.value.length === 0 ? (
        <p className="rp-empty">{rollouts.empty}</p>
      ) : (
        <ul className="rp-plain-list" aria-label={rollouts.title}>
          {reading.value.map((rollout) => (
            <RolloutLine key={rollout.id} rollout={rollout} onOpen={() => onOpen(rollout.id)} />
          ))}
        </ul>
      )}
    </section>
  );
}

function RolloutLine({ rollout, onOpen }: { readonly rollout: Rollout; readonly onOpen: () => void }) {
  const { rollouts: messages } = useMessages('rollouts');
  const { title, started, startedBy, edits, profile } = rollout;
  const { done, of } = progressOf(rollout);
  return (
    <li className="rp-card rp-rollout">
      <div className="rp-section-head">
        <button type="button" className="rp-rollout-title" onClick={onOpen}>
          {title}
        </button>
        <RolloutState rollout={rollout} />
      </div>
      <span className="rp-quiet rp-value">
        {messages.progressOf(done, of)} · {profile === undefined ? messages.ofEdits(edits?.length ?? 0) : messages.ofProfile(profile)}
      </span>
      <span className="rp-quiet rp-value">
        {messages.startedBy(startedBy)} · <Age time={started} />
      </span>
    </li>
  );
}
