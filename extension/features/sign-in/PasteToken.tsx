import { TextField } from '@adobe/react-spectrum/TextField';
import { useState } from 'react';
import { TextButton } from '../../ui/TextButton.tsx';
import { SubmitForm } from '../../ui/forms.tsx';
import { useMessages } from '../../ui/use-messages.ts';

/** Signs in with a token of the hosted service, or an API key. */
export function PasteToken({ onPaste }: { readonly onPaste: (token: string) => void }) {
  const { paste } = useMessages().signIn;
  const [token, setToken] = useState('');
  const ready = token.trim();
  return (
    <SubmitForm onSubmit={() => ready !== '' && onPaste(ready)}>
      <TextField label={paste.label} type="password" autoComplete="off" value={token} onChange={setToken} width="100%" />
      <div className="rp-actions">
        <TextButton variant="accent" type="submit" isDisabled={ready === ''} text={paste.use} />
      </div>
    </SubmitForm>
  );
}
