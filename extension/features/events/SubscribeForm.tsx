import { Checkbox } from '@adobe/react-spectrum/Checkbox';
import { CheckboxGroup } from '@adobe/react-spectrum/CheckboxGroup';
import { Radio, RadioGroup } from '@adobe/react-spectrum/RadioGroup';
import { type ChannelInput, type CreatedSubscription, EventKind } from '@repoless/contract/event.ts';
import type { EventsPort } from '@repoless/core/events/events-port.ts';
import { explainFailure, fieldSentences } from '@repoless/core/messages/explain-failure.ts';
import { type Failure, failureOf, isUncertain } from '@repoless/core/situation/call.ts';
import { useState } from 'react';
import { TextButton } from '../../ui/TextButton.tsx';
import { Explanation } from '../../ui/Notice.tsx';
import { useFocusOnArrival } from '../../ui/focus.ts';
import { SubmitForm, TextInput } from '../../ui/forms.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import { useUnsavedEntry } from '../../ui/use-guarded.ts';

interface Props {
  readonly port: EventsPort;
  readonly organization: string;
  /** One may exist although no answer came: the list must be read again. */
  readonly onUncertain: () => void;
  readonly onCreated: (created: CreatedSubscription) => void;
  readonly onCancel: () => void;
}

type Making = { readonly state: 'no' | 'making' } | { readonly state: 'failed'; readonly failure: Failure };

export function SubscribeForm({ port, organization, onUncertain, onCreated, onCancel }: Props) {
  const messages = useMessages('sites');
  const { kinds: names, subscriptions } = messages.events;
  const [type, setType] = useState<ChannelInput['type']>('email');
  const [address, setAddress] = useState('');
  const [isDaily, setDaily] = useState(false);
  const [kinds, setKinds] = useState<readonly EventKind[]>([]);
  const [sites, setSites] = useState('');
  const [isSubmitted, setSubmitted] = useState(false);
  const [making, setMaking] = useState<Making>({ state: 'no' });
  const heading = useFocusOnArrival<HTMLHeadingElement>(true);
  const failed = useFocusOnArrival<HTMLDivElement>(making.state === 'failed' ? making : undefined);
  const to = address.trim();
  const sent = type === 'webhook' ? 'making' : 'saving';
  useUnsavedEntry(to !== '' || sites.trim() !== '' || kinds.length > 0, 'place', making.state === 'making' ? sent : 'unsaved');
  const add = async (): Promise<void> => {
    setSubmitted(true);
    if (to === '' || making.state === 'making') return;
    setMaking({ state: 'making' });
    const channel: ChannelInput = type === 'email' ? { type, to, digest: isDaily ? 'daily' : 'each' } : { type, url: to };
    const names = sites.split(/[\s,]+/).filter((name) => name !== '');
    const answer = await port.subscribe(organization, {
      channel,
      ...(kinds.length === 0 ? {} : { kinds: [...kinds] }),
      ...(names.length === 0 ? {} : { sites: names }),
    });
    if (answer.state === 'known') return onCreated(answer.value);
    const failure = failureOf(answer);
    setMaking({ state: 'failed', failure });
    if (isUncertain(failure)) onUncertain();
    return undefined;
  };
  return (
    <div className="rp-make-key">
      <h3 tabIndex={-1} ref={heading}>
        {subscriptions.makeTitle}
      </h3>
      <SubmitForm isDisabled={making.state === 'making'} onSubmit={add}>
        <RadioGroup
          label={subscriptions.channel}
          orientation="horizontal"
          value={type}
          onChange={(value) => setType(value === 'webhook' ? 'webhook' : 'email')}
        >
          <Radio value="email">{subscriptions.email}</Radio>
          <Radio value="webhook">{subscriptions.webhook}</Radio>
        </RadioGroup>
        <TextInput
          label={type === 'email' ? subscriptions.address : subscriptions.url}
          description={type === 'webhook' ? subscriptions.urlHelp : undefined}
          value={address}
          onChange={setAddress}
          isRequired
          validationBehavior="aria"
          problem={isSubmitted && to === '' ? subscriptions.needed : undefined}
        />
        {type === 'email' && (
          <RadioGroup
            label={subscriptions.digest}
            orientation="horizontal"
            value={isDaily ? 'daily' : 'each'}
            onChange={(value) => setDaily(value === 'daily')}
          >
            <Radio value="each">{subscriptions.each}</Radio>
            <Radio value="daily">{subscriptions.daily}</Radio>
          </RadioGroup>
        )}
        <CheckboxGroup
          label={subscriptions.what}
          description={subscriptions.whatHelp}
          value={[...kinds]}
          onChange={(values) => setKinds(EventKind.options.filter((kind) => values.includes(kind)))}
        >
          {EventKind.options.map((kind) => (
            <Checkbox key={kind} value={kind}>
              {names[kind]}
            </Checkbox>
          ))}
        </CheckboxGroup>
        <TextInput label={subscriptions.sites} description={subscriptions.sitesHelp} value={sites} onChange={setSites} />
        {making.state === 'failed' && (
          <Explanation
            title={isUncertain(making.failure) ? subscriptions.maybeMade : subscriptions.makeFailed}
            explained={{
              ...explainFailure(messages, making.failure),
              ...(isUncertain(making.failure) ? { next: subscriptions.maybeNext[type] } : {}),
            }}
            details={fieldSentences(messages, making.failure)}
            focus={failed}
          />
        )}
        <div className="rp-actions">
          <TextButton variant="accent" type="submit" isDisabled={making.state === 'making'} text={subscriptions.now} />
          <TextButton onPress={onCancel} text={subscriptions.cancel} />
        </div>
      </SubmitForm>
    </div>
  );
}
