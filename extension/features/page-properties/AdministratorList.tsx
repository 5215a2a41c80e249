import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { TextField, type TextFieldRef } from '@adobe/react-spectrum/TextField';
import Close from '@spectrum-icons/workflow/Close';
import { useId, useRef, useState } from 'react';
import { useMessages } from '../../ui/use-messages.ts';
import { administratorProblem, fieldId } from './choice-problems.ts';

interface Props {
  readonly administrators: readonly string[];
  readonly problem: string | undefined;
  readonly isDisabled: boolean;
  readonly onChange: (administrators: string[]) => void;
}

export function AdministratorList({ administrators, problem, isDisabled, onChange }: Props) {
  const messages = useMessages();
  const [name, setName] = useState('');
  const [isRefused, setRefused] = useState(false);
  const [said, setSaid] = useState('');
  const field = useRef<TextFieldRef>(null);
  const heading = useId();
  const refused = administratorProblem(messages, administrators, name.trim());
  const shown = isRefused ? (refused ?? problem) : problem;
  const add = (): void => {
    setRefused(refused !== undefined);
    if (refused !== undefined) return;
    onChange([...administrators, name.trim()]);
    setSaid(messages.choices.administratorAdded({ name: name.trim() }));
    setName('');
    field.current?.focus();
  };
  const remove = (administrator: string): void => {
    onChange(administrators.filter((other) => other !== administrator));
    setSaid(messages.choices.administratorRemoved({ name: administrator }));
    field.current?.focus();
  };
  return (
    <div role="group" aria-labelledby={heading} className="rp-members">
      <span id={heading} className="rp-label">
        {messages.choices.administrators}
      </span>
      <ul className="rp-plain-list">
        {administrators.map((administrator) => (
          <li key={administrator} className="rp-member">
            <span className="rp-value">{administrator}</span>
            <ActionButton
              isQuiet
              isDisabled={isDisabled}
              aria-label={messages.choices.removeAdministrator({ name: administrator })}
              onPress={() => remove(administrator)}
            >
              <Close size="XS" />
            </ActionButton>
          </li>
        ))}
      </ul>
      <div className="rp-member-add">
        <TextField
          ref={field}
          id={fieldId('administrators')}
          aria-label={messages.choices.newAdministrator}
          description={messages.choices.administratorsHelp}
          value={name}
          onChange={(next) => {
            setName(next);
            setRefused(false);
          }}
          onKeyDown={(event) => (event.key === 'Enter' ? add() : event.continuePropagation())}
          width="100%"
          autoComplete="off"
          spellCheck="false"
          {...(shown === undefined ? {} : { validationState: 'invalid' as const, errorMessage: shown })}
        />
        <ActionButton isDisabled={isDisabled || name.trim() === ''} onPress={add}>
          {messages.choices.addAdministrator}
        </ActionButton>
      </div>
      <span role="status" className="rp-hidden">
        {said}
      </span>
    </div>
  );
}
