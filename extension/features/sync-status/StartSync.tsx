import { Button } from '@adobe/react-spectrum/Button';
import { ComboBox, Item } from '@adobe/react-spectrum/ComboBox';
import { useState } from 'react';
import { sanitizeRef } from '@repoless/contract/names.ts';
import type { SyncStarted } from '@repoless/contract/job.ts';
import type { BranchPlace, SyncPort } from '@repoless/core/sync/ports.ts';
import type { Known } from '@repoless/core/situation/situation.ts';
import { failureOf } from '@repoless/core/run/failure-of.ts';
import { explainFailure } from '@repoless/core/messages/explain-failure.ts';
import { Explanation } from '../../ui/Explanation.tsx';
import { useMessages } from '../../ui/use-messages.ts';

interface Props {
  readonly sync: Pick<SyncPort, 'start'>;
  /** Of any site of the repository. */
  readonly place: BranchPlace;
  readonly branches: readonly string[];
  readonly onStarted: (branch: string) => void;
}

type Starting = { readonly state: 'idle' | 'starting' } | (Known<SyncStarted> & { readonly branch: string });

/** Starts the sync of a branch: one that is known, or any that is written. */
export function StartSync({ sync, place, branches, onStarted }: Props) {
  const messages = useMessages('sync');
  const [branch, setBranch] = useState(place.ref);
  const [starting, setStarting] = useState<Starting>({ state: 'idle' });
  const name = branch.trim();
  const ref = sanitizeRef(name);
  const start = async (): Promise<void> => {
    setStarting({ state: 'starting' });
    const answer = await sync.start({ ...place, ref }, name);
    if (answer.state === 'known') onStarted(name);
    setStarting({ ...answer, branch: name });
  };
  return (
    <div className="rp-start">
      <ComboBox
        label={messages.sync.branch}
        description={messages.sync.branchHelp}
        allowsCustomValue
        inputValue={branch}
        onInputChange={setBranch}
        defaultItems={branches.map((known) => ({ name: known }))}
        width="100%"
        {...(ref === '' ? { validationState: 'invalid' as const, errorMessage: messages.sync.branchInvalid } : {})}
      >
        {(item) => <Item key={item.name}>{item.name}</Item>}
      </ComboBox>
      <Button variant="accent" isDisabled={starting.state === 'starting' || ref === ''} onPress={() => void start()}>
        {messages.sync.syncCode}
      </Button>
      <p role="status" className="rp-quiet">
        {starting.state === 'starting' && messages.sync.starting}
        {starting.state === 'known' &&
          (starting.value.joined === true
            ? messages.sync.joined({ branch: starting.branch })
            : messages.sync.started({ branch: starting.branch }))}
      </p>
      {(starting.state === 'failed' || starting.state === 'missing') && (
        <Explanation explained={explainFailure(messages, failureOf(starting))} />
      )}
    </div>
  );
}
