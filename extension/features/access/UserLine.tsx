import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import Close from '@spectrum-icons/workflow/Close';
import { useState } from 'react';
import { isRoleName } from '@repoless/contract/access.ts';
import type { GroupScope } from '@repoless/core/access/groups.ts';
import type { DraftUser } from '@repoless/core/access/organization-draft.ts';
import { Badge } from '../../ui/Badge.tsx';
import { RowLink } from '../../ui/address/RowLink.tsx';
import { EntryMark } from './EntryMark.tsx';
import { RoleChoice } from './RoleChoice.tsx';
import { useMessages } from '../../ui/use-messages.ts';

interface Props {
  readonly user: DraftUser;
  readonly caller: readonly string[];
  readonly scope: GroupScope;
  readonly problem: string | undefined;
  readonly isDisabled: boolean;
  readonly onChange: (roles: readonly string[]) => void;
  readonly onRemove: () => void;
}

/** A user: who, what they may, and the way to change it. */
export function UserLine({ user, caller, scope, problem, isDisabled, onChange, onRemove }: Props) {
  const { users: messages, roleOf } = useMessages('access');
  const [open, setOpen] = useState(false);
  const { email, name, roles } = user;
  const others = roles.filter((role) => !isRoleName(role));
  const wrong = roles.length === 0 ? messages.rolesMissing : problem;
  return (
    <li className={wrong === undefined ? 'rp-user' : 'rp-user rp-member-wrong'}>
      <div className="rp-user-head">
        <span className="rp-member-text">
          <span className="rp-value">
            <RowLink parameter="who" name={email}>
              {email}
            </RowLink>
          </span>
          {name !== undefined && <span className="rp-quiet">{name}</span>}
          <EntryMark entry={email} caller={caller} scope={scope} />
          {roles.map((role) => (
            <Badge key={role} tone={role === 'admin' ? 'positive' : 'neutral'} text={isRoleName(role) ? roleOf[role] : role} />
          ))}
          {wrong !== undefined && <span className="rp-wrong">{wrong}</span>}
        </span>
        <span className="rp-user-actions">
          <ActionButton
            isQuiet
            isDisabled={isDisabled}
            aria-expanded={open}
            aria-label={open ? `${messages.done}: ${email}` : messages.changeOf({ email })}
            onPress={() => setOpen(!open)}
          >
            {open ? messages.done : messages.change}
          </ActionButton>
          <ActionButton isQuiet isDisabled={isDisabled} aria-label={messages.remove({ email })} onPress={onRemove}>
            <Close size="XS" />
          </ActionButton>
        </span>
      </div>
      {open && (
        <RoleChoice
          label={messages.rolesOf({ email })}
          roles={roles}
          isDisabled={isDisabled}
          onChange={(chosen) => onChange([...others, ...chosen])}
        />
      )}
    </li>
  );
}
