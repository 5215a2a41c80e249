import { TextField } from '@adobe/react-spectrum/TextField';
import { SecretInput } from '#contract/secret.ts';
import { SealedText } from '#extension/setup/sealed-text.ts';
import { useWords } from '../use-words.ts';

interface Props {
  readonly secret: SealedText | undefined;
  /** The service holds one already: another one is needed only where that was revoked. */
  readonly isStored: boolean;
  readonly onChange: (secret: SealedText | undefined) => void;
}

/** The one-time secret of an external repository: pasted once, kept nowhere but in the memory of this panel, never shown. */
export function SecretField({ secret, isStored, onChange }: Props) {
  const words = useWords().choices;
  const value = secret?.reveal() ?? '';
  const problem = value === '' ? undefined : SecretInput.safeParse({ value }).error?.issues[0]?.message;
  return (
    <TextField
      label={words.secret}
      description={isStored ? words.secretStored : words.secretHelp}
      type="password"
      autoComplete="off"
      value={value}
      onChange={(text) => onChange(text === '' ? undefined : new SealedText(text))}
      width="100%"
      {...(problem === undefined ? {} : { validationState: 'invalid' as const, errorMessage: problem })}
    />
  );
}
