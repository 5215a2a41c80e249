import { TextField } from '@adobe/react-spectrum/TextField';

interface Props {
  /** Identifier of the input, so that links lead to it. */
  readonly id: string;
  readonly label: string;
  readonly value: string;
  readonly problem: string | undefined;
  readonly help: string | undefined;
  readonly onChange: (value: string) => void;
}

/** One text of the choices, with what is wrong with it. */
export function ChoiceText({ id, label, value, problem, help, onChange }: Props) {
  return (
    <TextField
      id={id}
      label={label}
      value={value}
      onChange={onChange}
      width="100%"
      autoComplete="off"
      spellCheck="false"
      {...(help === undefined ? {} : { description: help })}
      {...(problem === undefined ? {} : { validationState: 'invalid' as const, errorMessage: problem })}
    />
  );
}
