import { TextField } from '@adobe/react-spectrum/TextField';

interface Props {
  readonly messages: { readonly label: string; readonly help: string; readonly over: string };
  /** `YYYY-MM-DD`, or empty. */
  readonly day: string;
  readonly isWrong: boolean;
  readonly isDisabled?: boolean;
  readonly onChange: (day: string) => void;
}

/** The last day of something that ends, where that is known. */
export function EndField({ messages, day, isWrong, isDisabled = false, onChange }: Props) {
  return (
    <TextField
      type="date"
      label={messages.label}
      description={messages.help}
      value={day}
      onChange={onChange}
      isDisabled={isDisabled}
      width="100%"
      {...(isWrong ? { validationState: 'invalid' as const, errorMessage: messages.over } : {})}
    />
  );
}
