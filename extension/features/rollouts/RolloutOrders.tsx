import type { ConsequenceOfSites } from '@repoless/contract/consequence.ts';
import type { Edit, Rollout, RolloutInput } from '@repoless/contract/rollout.ts';
import { orderRollout, ordersOf, type RolloutOrder, type RolloutsPort, undoable } from '@repoless/core/rollouts/rollouts-port.ts';
import { type Failure, failureOf } from '@repoless/core/situation/call.ts';
import { use, useState } from 'react';
import { TextButton } from '../../ui/TextButton.tsx';
import { Consequences, useConfirmation } from '../../ui/Consequences.tsx';
import { Question } from '../../ui/Question.tsx';
import { FailureNotice, Status } from '../../ui/Notice.tsx';
import { useFocusOnArrival } from '../../ui/focus.ts';
import { useMessages } from '../../ui/use-messages.ts';
import { useIsMounted } from '../../ui/use-reading.ts';
import { RolloutsContext } from '../../ui/organization-contexts.ts';
import { Preview } from './Preview.tsx';
import { usePreview } from './PrepareRollout.tsx';

interface Props {
  readonly port: RolloutsPort;
  readonly organization: string;
  readonly rollout: Rollout;
  /** The service has accepted an order: the state has changed. */
  readonly onOrdered: () => void;
}

type Ordering =
  | { readonly state: 'no' | 'reading' | 'declined' }
  | { readonly state: 'confirm'; readonly consequences: readonly ConsequenceOfSites[] }
  | { readonly state: 'ordering'; readonly order: RolloutOrder }
  | { readonly state: 'failed'; readonly failure: Failure; readonly isLost: boolean };

/** The orders available for a rollout. Undoing it on all its sites requires confirmation. */
export function RolloutOrders({ port, organization, rollout, onOrdered }: Props) {
  const { orders, undo, orderFailed, orderLost } = useMessages('rollouts').rollouts;
  const [ordering, setOrdering] = useState<Ordering>({ state: 'no' });
  const failed = useFocusOnArrival<HTMLDivElement>(ordering.state === 'failed' ? ordering : undefined);
  const possible = ordersOf(rollout);
  const isBusy = ordering.state === 'ordering' || ordering.state === 'reading';
  const consequences = ordering.state === 'confirm' ? ordering.consequences : [];
  const confirmation = useConfirmation(consequences);
  const isHere = useIsMounted();
  const previewUndo = async (): Promise<void> => {
    setOrdering({ state: 'reading' });
    const answer = await port.previewUndo(organization, rollout.id);
    if (!isHere()) return;
    if (answer.state === 'known') setOrdering({ state: 'confirm', consequences: answer.value.consequences });
    else setOrdering({ state: 'failed', failure: failureOf(answer), isLost: false });
  };
  const send = async (order: RolloutOrder): Promise<void> => {
    setOrdering({ state: 'ordering', order });
    const end = await orderRollout(port, organization, rollout, order);
    if (end.state === 'taken') setOrdering({ state: 'no' });
    else setOrdering({ state: 'failed', failure: end.failure, isLost: end.state === 'lost' });
    onOrdered();
  };
  if (ordering.state === 'confirm' && possible.includes('undo')) {
    return (
      <Question
        title={undo.title({ title: rollout.title })}
        text={undo.text({ count: undoable(rollout) })}
        more={
          <>
            {rollout.profile !== undefined && <p>{undo.profile({ profile: rollout.profile })}</p>}
            <Consequences consequences={consequences} confirmation={confirmation} />
          </>
        }
        hint={confirmation.hint}
        yes={undo.now({ count: undoable(rollout) })}
        no={undo.cancel}
        onYes={() => void send('undo')}
        onNo={() => setOrdering({ state: 'declined' })}
      />
    );
  }
  if (possible.length === 0 && ordering.state !== 'failed') return null;
  return (
    <>
      {ordering.state === 'failed' && (
        <FailureNotice title={ordering.isLost ? orderLost : orderFailed} failure={ordering.failure} focus={failed} />
      )}
      <div className="rp-actions">
        {possible.includes('stop') && <TextButton isDisabled={isBusy} onPress={() => void send('stop')} text={orders.stop} />}
        {possible.includes('resume') && (
          <TextButton variant="accent" isDisabled={isBusy} onPress={() => void send('resume')} text={orders.resume} />
        )}
        {possible.includes('undo') && (
          <TextButton autoFocus={ordering.state === 'declined'} isDisabled={isBusy} onPress={() => void previewUndo()} text={orders.undo} />
        )}
      </div>
    </>
  );
}

interface ReviewAgainProps {
  readonly port: RolloutsPort;
  readonly organization: string;
  readonly rollout: Rollout & { readonly edits: Edit[] };
}

/** The sites that refused a rollout: a new preview for them, and its start. */
export function ReviewAgain({ port, organization, rollout: { id, title, edits } }: ReviewAgainProps) {
  const messages = useMessages('rollouts');
  const { form, orders, orderFailed } = messages.rollouts;
  const rollouts = use(RolloutsContext);
  const { previewing, preview: previewSites, start } = usePreview(port, organization, undefined, (started) => rollouts?.started(started));
  const [input, setInput] = useState<RolloutInput>();
  const [unread, setUnread] = useState<Failure>();
  const preview = previewing.state === 'ready' ? previewing.preview : undefined;
  const confirmation = useConfirmation(preview?.consequences ?? []);
  const isBusy = previewing.state === 'running' || previewing.state === 'starting';
  const review = async (): Promise<void> => {
    const refused: string[] = [];
    let after: string | undefined;
    do {
      const page = await port.sites(organization, id, 'refused', after);
      if (page.state !== 'known') return setUnread(failureOf(page));
      refused.push(...page.value.sites.map(({ name }) => name));
      after = page.value.next;
    } while (after !== undefined);
    const next = { title, edits, sites: refused };
    setUnread(undefined);
    setInput(next);
    await previewSites(next);
  };
  const failure = unread ?? (previewing.state === 'failed' || previewing.state === 'unknown' ? previewing.failure : undefined);
  const changed = preview?.sites.filter(({ state }) => state === 'changed').length ?? 0;
  return (
    <>
      {failure !== undefined && <FailureNotice title={orderFailed} failure={failure} />}
      {preview !== undefined && (
        <Preview preview={preview} isProfile={false}>
          <Consequences consequences={preview.consequences} confirmation={confirmation} />
        </Preview>
      )}
      <div className="rp-actions">
        {changed > 0 && input !== undefined && (
          <TextButton
            variant={confirmation.isNeeded ? 'negative' : 'accent'}
            isDisabled={!confirmation.isConfirmed}
            onPress={() => void start(input)}
            text={form.start({ count: changed })}
          />
        )}
        <TextButton isDisabled={isBusy} onPress={() => void review()} text={orders.review} />
        <Status as="span">{previewing.state === 'running' ? form.previewing : confirmation.hint}</Status>
      </div>
    </>
  );
}
