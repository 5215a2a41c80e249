import { Button } from '@adobe/react-spectrum/Button';
import { Form } from '@adobe/react-spectrum/Form';
import { TextField } from '@adobe/react-spectrum/TextField';
import { SecretName } from '@repoless/contract/secret.ts';
import { createSecret, endOfDay, isOver, type NewSecret } from '@repoless/core/configuration/secrets.ts';
import type { HistorySubject } from '@repoless/core/history/subject.ts';
import { fieldSentences } from '@repoless/core/messages/explain-failure.ts';
import type { ServicePort } from '@repoless/core/plan/ports.ts';
import { failureOf, isUncertain } from '@repoless/core/run/failures.ts';
import type { Failure } from '@repoless/core/situation/situation.ts';
import { useState } from 'react';
import { useNow } from '../../ui/Age.tsx';
import { Explanation } from '../../ui/Explanation.tsx';
import { EndField } from '../../ui/Once.tsx';
import { useFocusOnArrival } from '../../ui/focus.ts';
import { useMessages } from '../../ui/use-messages.ts';
import { explainHere } from '../access/notices.tsx';
import { useUnsavedEntry } from '../leaving/use-unsaved-entry.ts';

interface Props {
  readonly service: ServicePort;
  readonly site: HistorySubject;
  /** Those that are there. */
  readonly names: readonly string[];
  /** One may be there of which no answer came: the list is to be read again. */
  readonly onUncertain: () => void;
  readonly onMade: (secret: NewSecret) => void;
  readonly onCancel: () => void;
}

type Making =
  | { readonly state: 'no' | 'making' }
  | { readonly state: 'failed'; readonly failure: Failure }
  /** `before`: the names that were there before. */
  | { readonly state: 'uncertain'; readonly failure: Failure; readonly before: readonly string[] };

/** A new secret: the service makes its value. */
export function CreateSecret({ service, site, names, onUncertain, onMade, onCancel }: Props) {
  const messages = useMessages();
  const { secrets } = useMessages('configuration').form;
  const [name, setName] = useState('');
  const [day, setDay] = useState('');
  const now = useNow();
  const [making, setMaking] = useState<Making>({ state: 'no' });
  const isMaking = making.state === 'making';
  useUnsavedEntry(isMaking || name !== '' || day !== '', 'place', isMaking ? 'making' : 'unsaved');
  const heading = useFocusOnArrival<HTMLHeadingElement>(true);
  const failed = useFocusOnArrival<HTMLDivElement>('failure' in making ? making : undefined);
  const isTaken = names.includes(name) || (making.state === 'failed' && making.failure.problem?.code === 'PRECONDITION_FAILED');
  const isWrong = name !== '' && !SecretName.safeParse(name).success;
  const isEndWrong = day !== '' && isOver(day, now);
  const problem = isTaken ? secrets.nameTaken : isWrong ? secrets.nameWrong : undefined;
  const make = async (): Promise<void> => {
    if (problem !== undefined || isEndWrong || making.state === 'making') return;
    setMaking({ state: 'making' });
    const answer = await createSecret(service, site, {
      name: name === '' ? undefined : name,
      expires: day === '' ? undefined : endOfDay(day),
    });
    if (answer.state === 'known') return onMade(answer.value);
    const failure = failureOf(answer);
    if (!isUncertain(failure)) return setMaking({ state: 'failed', failure });
    setMaking({ state: 'uncertain', failure, before: names });
    return onUncertain();
  };
  return (
    <div className="rp-make-key">
      <h3 tabIndex={-1} ref={heading}>
        {secrets.makeTitle}
      </h3>
      <Form
        isDisabled={making.state === 'making'}
        onSubmit={(event) => {
          event.preventDefault();
          void make();
        }}
      >
        <TextField
          label={secrets.name}
          description={secrets.nameHelp}
          value={name}
          onChange={(next) => {
            setName(next);
            setMaking({ state: 'no' });
          }}
          width="100%"
          autoComplete="off"
          spellCheck="false"
          {...(problem === undefined ? {} : { validationState: 'invalid' as const, errorMessage: problem })}
        />
        <EndField messages={secrets.end} day={day} isWrong={isEndWrong} onChange={setDay} />
        <div className="rp-actions">
          <Button variant="accent" type="submit" isDisabled={making.state === 'making'}>
            {making.state === 'making' ? secrets.making : secrets.create}
          </Button>
          <Button variant="secondary" isDisabled={making.state === 'making'} onPress={onCancel}>
            {secrets.cancel}
          </Button>
        </div>
      </Form>
      {making.state === 'failed' && !isTaken && (
        <Explanation
          title={secrets.failed}
          explained={explainHere(messages, making.failure)}
          details={fieldSentences(making.failure)}
          focus={failed}
        />
      )}
      {making.state === 'uncertain' && (
        <Explanation
          title={secrets.uncertain.title}
          explained={{ sentence: making.failure.problem?.detail ?? secrets.uncertain.sentence, next: secrets.uncertain.next }}
          details={names.filter((one) => !making.before.includes(one)).map((name) => secrets.uncertain.appeared({ name }))}
          focus={failed}
        />
      )}
    </div>
  );
}
