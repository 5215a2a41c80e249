import { TextField } from '@adobe/react-spectrum/TextField';

interface Props {
  readonly label: string;
  readonly value: string;
  readonly problem: string | undefined;
  readonly help: string | undefined;
  readonly onChange: (value: string) => void;
  readonly onCommit: () => void;
}

/** One text of the choices; it is committed when the field is left or Enter is pressed. */
export function ChoiceText({ label, value, problem, help, onChange, onCommit }: Props) {
  return (
    <TextField
      label={label}
      value={value}
      onChange={onChange}
      onBlur={onCommit}
      onKeyDown={(event) => event.key === 'Enter' && onCommit()}
      width="100%"
      autoComplete="off"
      spellCheck="false"
      {...(help === undefined ? {} : { description: help })}
      {...(problem === undefined ? {} : { validationState: 'invalid' as const, errorMessage: problem })}
    />
  );
}
