import { ProgressBar } from '@adobe/react-spectrum/ProgressBar';
import { StatusLight } from '@adobe/react-spectrum/StatusLight';
import type { Edit, Rollout } from '@repoless/contract/rollout.ts';
import { codeText, problemText } from '@repoless/core/messages/explain-failure.ts';
import { fillFrom } from '@repoless/core/messages/format-message.ts';
import { isInProgress, progressOf, type RolloutsPort, waveOf } from '@repoless/core/rollouts/rollouts-port.ts';
import Alert from '@spectrum-icons/workflow/Alert';
import { useCallback, useEffect, useRef, useState } from 'react';
import { Age } from '../../ui/Age.tsx';
import { BackButton, Fold } from '../../ui/Card.tsx';
import { printJson } from '@repoless/core/history/json-values.ts';
import { FailureNotice, Notice, Announcement } from '../../ui/Notice.tsx';
import { Unread } from '../../ui/Unread.tsx';
import { isFocusLost, useFocusOnArrival } from '../../ui/focus.ts';
import { useMessages } from '../../ui/use-messages.ts';
import { useReading } from '../../ui/use-reading.ts';
import { withLabels } from './field-labels.ts';
import { ReviewAgain, RolloutOrders } from './RolloutOrders.tsx';
import { RolloutSites } from './RolloutSites.tsx';

interface Props {
  readonly port: RolloutsPort;
  readonly organization: string;
  readonly id: string;
  readonly onBack: () => void;
  /** It was in progress and no longer is: the sites have changed. */
  readonly onEnded: () => void;
}

/** Milliseconds between polls of the service. */
const STEP = 2000;

export function RolloutView({ port, organization, id, onBack, onEnded }: Props) {
  const { rollouts } = useMessages('rollouts');
  const read = useCallback(() => port.rollout(organization, id), [port, organization, id]);
  const [reading, reload, reread] = useReading(read, (rollout) => (isInProgress(rollout) ? STEP : undefined));
  return (
    <>
      <div>
        <BackButton text={rollouts.all} onPress={onBack} />
      </div>
      {reading.state === 'ready' ? (
        <>
          {reading.failure !== undefined && <FailureNotice title={rollouts.failedOne} failure={reading.failure} />}
          <Shown port={port} organization={organization} rollout={reading.value} onOrdered={reread} onEnded={onEnded} />
        </>
      ) : (
        <Unread reading={reading} loading={rollouts.readingOne} missing={rollouts.missingOne} onRetry={reload} />
      )}
    </>
  );
}

interface ShownProps extends Pick<Props, 'port' | 'organization' | 'onEnded'> {
  readonly rollout: Rollout;
  readonly onOrdered: () => Promise<void>;
}

function Shown({ port, organization, rollout, onOrdered, onEnded }: ShownProps) {
  const { rollouts: messages } = useMessages('rollouts');
  const { title, state, stopped, started, startedBy, edits, profile } = rollout;
  const heading = useFocusOnArrival<HTMLHeadingElement>(rollout.id);
  const isRunning = isInProgress(rollout);
  const wasRunning = useRef(isRunning);
  useEffect(() => {
    if (wasRunning.current && !isRunning) onEnded();
    wasRunning.current = isRunning;
  }, [isRunning, onEnded]);
  const { done, of } = progressOf(rollout);
  const { wave, of: waves } = waveOf(rollout);
  // A button that had focus is no longer there in the new state.
  const [orders, setOrders] = useState(0);
  useEffect(() => {
    if (isFocusLost()) heading.current?.focus();
  }, [orders, state, heading]);
  const ordered = (): void => void onOrdered().then(() => setOrders((times) => times + 1));
  return (
    <section className="rp-card" aria-labelledby="rp-rollout">
      <div className="rp-stack-tight">
        <div className="rp-section-head">
          <h2 id="rp-rollout" className="rp-value" tabIndex={-1} ref={heading}>
            {title}
          </h2>
          <RolloutState rollout={rollout} />
        </div>
        <p className="rp-quiet rp-value">
          {messages.startedBy({ who: startedBy })} · <Age time={started} /> ·{' '}
          {profile === undefined ? messages.ofEdits({ count: edits?.length ?? 0 }) : messages.ofProfile({ profile })}
        </p>
        <Announcement>{announcementOf(rollout, messages)}</Announcement>
      </div>
      <div className="rp-stack-tight">
        <ProgressBar
          label={messages.progress}
          value={done}
          maxValue={Math.max(1, of)}
          valueLabel={messages.progressOf({ done, of })}
          width="100%"
        />
        {waves > 1 && <p className="rp-quiet">{messages.wave({ wave, of: waves })}</p>}
      </div>
      {state === 'stopped' && stopped !== undefined && (
        <Notice
          tone="warning"
          icon={Alert}
          role="note"
          title={stopped.undoing === true ? messages.undoStopped.sentence : fillFrom(messages.stopped[stopped.reason], { who: stopped.by })}
        >
          <StopCause stopped={stopped} />
          <p className="rp-next">{stopped.undoing === true ? messages.undoStopped.next : messages.stoppedNext[stopped.reason]}</p>
        </Notice>
      )}
      <RolloutOrders key={state} port={port} organization={organization} rollout={rollout} onOrdered={ordered} />
      {edits !== undefined && !isRunning && (rollout.sites.refused ?? 0) > 0 && (
        <ReviewAgain port={port} organization={organization} rollout={{ ...rollout, edits }} />
      )}
      {edits !== undefined && <Edits edits={edits} />}
      <RolloutSites port={port} organization={organization} rollout={rollout} />
    </section>
  );
}

function StopCause({ stopped: { reason, by, detail, count, site, problem } }: { readonly stopped: NonNullable<Rollout['stopped']> }) {
  const messages = useMessages('rollouts');
  const { stopCause } = messages.rollouts;
  if (detail === undefined) return null;
  if (reason === 'blocked' && by !== undefined) return <p>{stopCause.signIn({ who: by })}</p>;
  const text = problem && problemText(messages, withLabels(messages.rollouts, problem));
  const sentences = [
    ...(count === undefined ? [] : [stopCause.stuck({ count })]),
    ...(text === undefined ? [] : [site === undefined ? text : stopCause.site({ site, text })]),
  ];
  return <p>{sentences.length === 0 ? codeText(messages, detail) : sentences.join(' ')}</p>;
}

function Edits({ edits }: { readonly edits: readonly Edit[] }) {
  const { rollouts: messages } = useMessages('rollouts');
  const said = (edit: Edit): string =>
    edit.op === 'remove' && edit.value !== undefined
      ? messages.edit.removeFrom({ path: edit.path })
      : messages.edit[edit.op]({ path: edit.path });
  return (
    <Fold title={messages.edits}>
      <ul className="rp-plain-list">
        {edits.map((edit, index) => (
          <li key={`${index} ${edit.path}`} className="rp-patch">
            <span className="rp-value">{said(edit)}</span>
            {edit.value !== undefined && (
              <pre className="rp-patch-value">{typeof edit.value === 'string' ? edit.value : printJson(edit.value)}</pre>
            )}
          </li>
        ))}
      </ul>
    </Fold>
  );
}

/** Announced once when it is no longer in progress. */
function announcementOf({ title, state, sites }: Rollout, { said }: ReturnType<typeof useMessages<'rollouts'>>['rollouts']): string {
  switch (state) {
    case 'running':
    case 'undoing':
      return '';
    case 'stopped':
      return said.stopped({ title });
    case 'done':
      return said.done({ title, changed: sites.changed ?? 0, refused: sites.refused ?? 0 });
    case 'undone':
      return said.undone({ title, undone: sites.undone ?? 0, kept: sites.kept ?? 0 });
    default:
      return state satisfies never;
  }
}

const TONES = { running: 'info', stopped: 'notice', done: 'positive', undoing: 'info', undone: 'neutral' } as const;

export function RolloutState({ rollout: { state, sites } }: { readonly rollout: Rollout }) {
  const { rollouts: messages } = useMessages('rollouts');
  const refused = state === 'done' ? (sites.refused ?? 0) : 0;
  const [undone, kept] = state === 'undone' ? [sites.undone ?? 0, sites.kept ?? 0] : [0, 0];
  return (
    <StatusLight variant={refused > 0 || kept > 0 ? 'notice' : TONES[state]} UNSAFE_className="rp-rollout-state">
      {refused > 0
        ? messages.doneWithRefused({ count: refused })
        : kept > 0
          ? messages.undoneOf({ undone, all: undone + kept })
          : messages.states[state]}
    </StatusLight>
  );
}
