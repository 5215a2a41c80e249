import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { Form } from '@adobe/react-spectrum/Form';
import { TextField } from '@adobe/react-spectrum/TextField';
import type { TextFieldRef } from '@adobe/react-spectrum/TextField';
import { useRef, useState } from 'react';
import type { RoleName } from '@repoless/contract/access.ts';
import { memberProblem } from '@repoless/core/access/members.ts';
import type { DraftUser } from '@repoless/core/access/organization-draft.ts';
import { Fold } from '../../ui/Fold.tsx';
import { RoleChoice } from './RoleChoice.tsx';
import { useUnsavedEntry } from '../leaving/use-unsaved-entry.ts';
import { useMessages } from '../../ui/use-messages.ts';

interface Props {
  readonly isDisabled: boolean;
  readonly isThere: (email: string) => boolean;
  readonly onAdd: (user: DraftUser) => void;
}

/** A further user of an organization, with their roles. */
export function AddUser({ isDisabled, isThere, onAdd }: Props) {
  const { users: messages, problems, entryHelp, keys } = useMessages('access');
  const [email, setEmail] = useState('');
  const [roles, setRoles] = useState<readonly RoleName[]>([]);
  const [isSubmitted, setSubmitted] = useState(false);
  const field = useRef<TextFieldRef>(null);
  useUnsavedEntry(email.trim() !== '' || roles.length > 0);
  const problem = isThere(email.trim()) ? 'listed' : memberProblem([], email);
  const add = (): void => {
    setSubmitted(true);
    if (problem !== undefined || roles.length === 0) return;
    onAdd({ email: email.trim(), roles });
    setEmail('');
    setRoles([]);
    setSubmitted(false);
    field.current?.focus();
  };
  return (
    <Fold title={messages.addTitle}>
      <Form
        isDisabled={isDisabled}
        onSubmit={(event) => {
          event.preventDefault();
          add();
        }}
      >
        <TextField
          ref={field}
          label={messages.email}
          description={entryHelp}
          value={email}
          onChange={setEmail}
          width="100%"
          autoComplete="off"
          spellCheck="false"
          {...(isSubmitted && problem !== undefined ? { validationState: 'invalid' as const, errorMessage: problems[problem] } : {})}
        />
        <RoleChoice
          label={messages.roles}
          roles={roles}
          problem={isSubmitted && roles.length === 0 ? keys.rolesMissing : undefined}
          onChange={setRoles}
        />
        <div className="rp-actions">
          <ActionButton type="submit">{messages.add}</ActionButton>
        </div>
      </Form>
    </Fold>
  );
}
