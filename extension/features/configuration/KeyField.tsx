import { TextField } from '@adobe/react-spectrum/TextField';
import { useState } from 'react';
import { useForm } from './use-form.ts';

interface Props {
  readonly label: string;
  readonly help: string | undefined;
  readonly name: string;
  readonly taken: (name: string) => boolean;
  readonly problem: string | undefined;
  readonly autoFocus: boolean;
  readonly onRename: (name: string) => void;
}

/** The name of an entry. It is taken when one leaves the field: halfway it could be that of another one. */
export function KeyField({ label, help, name, taken, problem, autoFocus, onRename }: Props) {
  const { messages, isDisabled, hasHelp } = useForm();
  const [typed, setTyped] = useState<string>();
  const text = typed ?? name;
  const isTaken = text !== name && taken(text);
  const wrong = isTaken ? messages.keyTaken : problem;
  const finish = (): void => {
    if (isTaken) return;
    if (text !== name) onRename(text);
    setTyped(undefined);
  };
  return (
    <TextField
      label={label}
      value={text}
      onChange={setTyped}
      onBlur={finish}
      onKeyDown={(event) => (event.key === 'Enter' ? finish() : event.continuePropagation())}
      isDisabled={isDisabled}
      isRequired
      necessityIndicator="icon"
      autoFocus={autoFocus}
      width="100%"
      autoComplete="off"
      spellCheck="false"
      {...(help === undefined || !hasHelp ? {} : { description: help })}
      {...(wrong === undefined ? {} : { validationState: 'invalid' as const, errorMessage: wrong })}
    />
  );
}
