import { Button } from '@adobe/react-spectrum/Button';
import type { Edit, Rollout, RolloutInput } from '@repoless/contract/rollout.ts';
import { explainFailure } from '@repoless/core/messages/explain-failure.ts';
import type { RolloutsPort } from '@repoless/core/rollouts/rollouts-port.ts';
import { type Failure, failureOf } from '@repoless/core/situation/call.ts';
import { use, useState } from 'react';
import { Consequences, useConfirmation } from '../../ui/Consequences.tsx';
import { Explanation } from '../../ui/Notice.tsx';
import { Status } from '../../ui/Loading.tsx';
import { RolloutsContext } from '../../ui/organization-contexts.ts';
import { useMessages } from '../../ui/use-messages.ts';
import { Preview } from './Preview.tsx';
import { usePreview } from './PrepareRollout.tsx';

interface Props {
  readonly port: RolloutsPort;
  readonly organization: string;
  readonly rollout: Rollout & { readonly edits: Edit[] };
}

/** The sites that refused a rollout: a new preview for them, and its start. */
export function ReviewAgain({ port, organization, rollout: { id, title, edits } }: Props) {
  const messages = useMessages('rollouts');
  const { form, orders, orderFailed } = messages.rollouts;
  const rollouts = use(RolloutsContext);
  const { previewing, look, start } = usePreview(port, organization, undefined, (started) => rollouts?.started(started));
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
    await look(next);
  };
  const failure = unread ?? (previewing.state === 'failed' || previewing.state === 'unknown' ? previewing.failure : undefined);
  const changed = preview?.sites.filter(({ state }) => state === 'changed').length ?? 0;
  return (
    <>
      {failure !== undefined && <Explanation title={orderFailed} explained={explainFailure(messages, failure)} />}
      {preview !== undefined && (
        <Preview preview={preview} isProfile={false}>
          <Consequences consequences={preview.consequences} confirmation={confirmation} />
        </Preview>
      )}
      <div className="rp-actions">
        {changed > 0 && input !== undefined && (
          <Button
            variant={confirmation.isNeeded ? 'negative' : 'accent'}
            isDisabled={!confirmation.isGiven}
            onPress={() => void start(input)}
          >
            {form.start({ count: changed })}
          </Button>
        )}
        <Button variant="secondary" isDisabled={isBusy} onPress={() => void review()}>
          {orders.review}
        </Button>
        <Status as="span">{previewing.state === 'running' ? form.previewing : confirmation.hint}</Status>
      </div>
    </>
  );
}
