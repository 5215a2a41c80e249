import { TextField } from '@adobe/react-spectrum/TextField';
import { SealedValue, SecretValue } from '@repoless/contract/secret.ts';
import { useMessages } from '../../ui/use-messages.ts';
import { useUnsavedEntry } from '../leaving/use-guarded.ts';
import { fieldId } from './choice-problems.ts';

interface Props {
  readonly secret: SealedValue | undefined;
  /** The service holds one already: another one is needed only where that was revoked. */
  readonly isStored: boolean;
  readonly onChange: (secret: SealedValue | undefined) => void;
}

/** The secret of an external repository: pasted once, kept only in this panel's memory, never shown. */
export function SecretField({ secret, isStored, onChange }: Props) {
  const messages = useMessages().choices;
  const value = secret?.reveal() ?? '';
  useUnsavedEntry(value !== '', 'view');
  const problem = value === '' ? undefined : SecretValue.safeParse(value).error?.issues[0]?.message;
  return (
    <TextField
      id={fieldId('secret')}
      label={messages.secret}
      description={isStored ? messages.secretStored : messages.secretHelp}
      type="password"
      autoComplete="off"
      value={value}
      onChange={(text) => onChange(text === '' ? undefined : new SealedValue(text))}
      width="100%"
      {...(problem === undefined ? {} : { validationState: 'invalid' as const, errorMessage: problem })}
    />
  );
}
