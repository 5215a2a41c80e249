import { Button } from '@adobe/react-spectrum/Button';
import { Form } from '@adobe/react-spectrum/Form';
import { Item, Picker } from '@adobe/react-spectrum/Picker';
import { TextField } from '@adobe/react-spectrum/TextField';
import type { ApiKeyInfo } from '@repoless/contract/credentials.ts';
import type { RoleName } from '@repoless/contract/access.ts';
import { createKey, lifetimes, type NewApiKey } from '@repoless/core/access/api-keys.ts';
import type { HistorySubject } from '@repoless/core/history/subject.ts';
import { fieldSentences } from '@repoless/core/messages/explain-failure.ts';
import type { ServicePort } from '@repoless/core/plan/ports.ts';
import { failureOf, isUncertain } from '@repoless/core/run/failures.ts';
import type { Failure } from '@repoless/core/situation/situation.ts';
import { useState } from 'react';
import { Explanation } from '../../ui/Explanation.tsx';
import { useFocusOnArrival } from '../../ui/focus.ts';
import { useMessages } from '../../ui/use-messages.ts';
import { useUnsavedEntry } from '../leaving/use-unsaved-entry.ts';
import { RoleChoice } from './Users.tsx';
import { explainHere } from './notices.tsx';

interface Props {
  readonly service: ServicePort;
  readonly subject: HistorySubject;
  /** Seconds that a key may live; undefined where the service does not say. */
  readonly longest: number | undefined;
  /** Those that are there. */
  readonly listed: readonly ApiKeyInfo[];
  /** One may be there of which no answer came: the list is to be read again. */
  readonly onUncertain: () => void;
  readonly onMade: (key: NewApiKey) => void;
  readonly onCancel: () => void;
}

type Making =
  | { readonly state: 'no' | 'making' }
  | { readonly state: 'failed'; readonly failure: Failure }
  /** `before`: those that were there before. */
  | { readonly state: 'uncertain'; readonly failure: Failure; readonly before: readonly ApiKeyInfo[] };

/** The longest that the service takes. */
const LONGEST_DESCRIPTION = 1000;
const USUAL_DAYS = 90;

/** What a new key is for, what it may, and how long. */
export function CreateKey({ service, subject, longest, listed, onUncertain, onMade, onCancel }: Props) {
  const general = useMessages();
  const { keys: messages } = useMessages('access');
  const [description, setDescription] = useState('');
  const [roles, setRoles] = useState<readonly RoleName[]>([]);
  const choices = lifetimes(longest);
  const [chosen, setChosen] = useState(USUAL_DAYS);
  const days = choices.includes(chosen) ? chosen : (choices.at(-1) ?? 1);
  const [isSubmitted, setSubmitted] = useState(false);
  const [making, setMaking] = useState<Making>({ state: 'no' });
  const isMaking = making.state === 'making';
  useUnsavedEntry(isMaking || description.trim() !== '' || roles.length > 0, 'place', isMaking ? 'making' : 'unsaved');
  const heading = useFocusOnArrival<HTMLHeadingElement>(true);
  const failed = useFocusOnArrival<HTMLDivElement>('failure' in making ? making : undefined);
  const make = async (): Promise<void> => {
    setSubmitted(true);
    if (roles.length === 0 || making.state === 'making') return;
    setMaking({ state: 'making' });
    const answer = await createKey(service, subject, { description, roles: [...roles], days });
    if (answer.state === 'known') return onMade(answer.value);
    const failure = failureOf(answer);
    if (!isUncertain(failure)) return setMaking({ state: 'failed', failure });
    setMaking({ state: 'uncertain', failure, before: listed });
    return onUncertain();
  };
  return (
    <div className="rp-make-key">
      <h3 tabIndex={-1} ref={heading}>
        {messages.makeTitle}
      </h3>
      <Form
        isDisabled={making.state === 'making'}
        onSubmit={(event) => {
          event.preventDefault();
          void make();
        }}
      >
        <TextField
          label={messages.description}
          description={messages.descriptionHelp}
          value={description}
          onChange={setDescription}
          maxLength={LONGEST_DESCRIPTION}
          width="100%"
          autoComplete="off"
        />
        <RoleChoice
          label={messages.roles}
          description={messages.rolesHelp}
          roles={roles}
          problem={isSubmitted && roles.length === 0 ? messages.rolesMissing : undefined}
          onChange={setRoles}
        />
        <Picker label={messages.lifetime} selectedKey={String(days)} onSelectionChange={(key) => setChosen(Number(key))} width="100%">
          {choices.map((one) => (
            <Item key={String(one)}>{one < 1 ? messages.hours({ hours: Math.floor(one * 24) }) : messages.days({ days: one })}</Item>
          ))}
        </Picker>
        <div className="rp-actions">
          <Button variant="accent" type="submit" isDisabled={making.state === 'making'}>
            {making.state === 'making' ? messages.making : messages.create}
          </Button>
          <Button variant="secondary" isDisabled={making.state === 'making'} onPress={onCancel}>
            {messages.cancel}
          </Button>
        </div>
      </Form>
      {making.state === 'failed' && (
        <Explanation
          title={messages.failed}
          explained={explainHere(general, making.failure)}
          details={fieldSentences(making.failure)}
          focus={failed}
        />
      )}
      {making.state === 'uncertain' && (
        <Explanation
          title={messages.uncertain.title}
          explained={{ sentence: making.failure.problem?.detail ?? messages.uncertain.sentence, next: messages.uncertain.next }}
          details={listed
            .filter(({ id }) => making.before.every((one) => one.id !== id))
            .map(({ id, description }) => messages.uncertain.appeared({ name: description ?? messages.unnamed, id }))}
          focus={failed}
        />
      )}
    </div>
  );
}
