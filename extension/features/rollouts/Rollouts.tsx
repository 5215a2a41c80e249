import type { Rollout } from '@repoless/contract/rollout.ts';
import { isInProgress, progressOf, type RolloutsPort } from '@repoless/core/rollouts/rollouts-port.ts';
import { useCallback, useState } from 'react';
import { Age } from '../../ui/Age.tsx';
import { Loading } from '../../ui/Notice.tsx';
import { ReadRefused } from '../../ui/Unread.tsx';
import { useFocusOnArrival } from '../../ui/focus.ts';
import { useMessages } from '../../ui/use-messages.ts';
import { useReading } from '../../ui/use-reading.ts';
import { RolloutState, RolloutView } from './RolloutView.tsx';
import '../organization/overview.css';
import './rollouts.css';

interface Props {
  readonly port: RolloutsPort;
  readonly organization: string;
  readonly opened: string | undefined;
  readonly onOpen: (id: string | undefined) => void;
  readonly onEnded: () => void;
}

/** Milliseconds between polls while a rollout is in progress. */
const POLL_EVERY = 5000;

export function Rollouts({ port, organization, opened, onOpen, onEnded }: Props) {
  const [left, setLeft] = useState<string>();
  const leave = (): void => {
    setLeft(opened);
    onOpen(undefined);
  };
  if (opened !== undefined) {
    return <RolloutView key={opened} port={port} organization={organization} id={opened} onBack={leave} onEnded={onEnded} />;
  }
  return <RolloutList port={port} organization={organization} left={left} onOpen={onOpen} />;
}

interface ListProps extends Pick<Props, 'port' | 'organization' | 'onOpen'> {
  /** The last opened one: focus returns to it. */
  readonly left: string | undefined;
}

function RolloutList({ port, organization, left, onOpen }: ListProps) {
  const { rollouts } = useMessages('rollouts');
  const read = useCallback(() => port.list(organization), [port, organization]);
  const [reading, reload] = useReading(read, (list) => (list.some(isInProgress) ? POLL_EVERY : undefined));
  if (reading.state === 'loading') return <Loading text={rollouts.reading} />;
  if (reading.state === 'missing') return <p className="rp-empty">{rollouts.missing}</p>;
  if (reading.state === 'failed') {
    return <ReadRefused title={rollouts.failed} failure={reading.failure} onRetry={reload} />;
  }
  return (
    <section className="rp-list" aria-labelledby="rp-rollouts">
      <h2 id="rp-rollouts" className="rp-hidden">
        {rollouts.title}
      </h2>
      <p className="rp-quiet">{rollouts.text}</p>
      {reading.failure !== undefined && <ReadRefused title={rollouts.failed} failure={reading.failure} onRetry={reload} />}
      {reading.value.length === 0 ? (
        <p className="rp-empty">{rollouts.empty}</p>
      ) : (
        <ul className="rp-plain-list" aria-label={rollouts.title}>
          {reading.value.map((rollout) => (
            <RolloutLine key={rollout.id} rollout={rollout} isLeft={rollout.id === left} onOpen={() => onOpen(rollout.id)} />
          ))}
        </ul>
      )}
    </section>
  );
}

interface LineProps {
  readonly rollout: Rollout;
  readonly isLeft: boolean;
  readonly onOpen: () => void;
}

function RolloutLine({ rollout, isLeft, onOpen }: LineProps) {
  const { rollouts: messages } = useMessages('rollouts');
  const { title, started, startedBy, edits, profile } = rollout;
  const { done, of } = progressOf(rollout);
  const opener = useFocusOnArrival<HTMLButtonElement>(isLeft ? rollout.id : undefined);
  return (
    <li className="rp-card rp-rollout">
      <div className="rp-section-head">
        <button type="button" className="rp-rollout-title" ref={opener} onClick={onOpen}>
          {title}
        </button>
        <RolloutState rollout={rollout} />
      </div>
      <span className="rp-quiet rp-value">
        {messages.progressOf({ done, of })} ·{' '}
        {profile === undefined ? messages.ofEdits({ count: edits?.length ?? 0 }) : messages.ofProfile({ profile })}
      </span>
      <span className="rp-quiet rp-value">
        {messages.startedBy({ who: startedBy })} · <Age time={started} />
      </span>
    </li>
  );
}
