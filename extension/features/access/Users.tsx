import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { Checkbox } from '@adobe/react-spectrum/Checkbox';
import { CheckboxGroup } from '@adobe/react-spectrum/CheckboxGroup';
import { SearchField } from '@adobe/react-spectrum/SearchField';
import type { TextFieldRef } from '@adobe/react-spectrum/TextField';
import { isRoleName, ROLE_NAMES, type RoleName } from '@repoless/contract/access.ts';
import type { DraftUser } from '@repoless/core/access/access-kind.ts';
import { memberProblem, sameMember } from '@repoless/core/access/groups.ts';
import { useRef, useState } from 'react';
import { RemoveButton, SubmitForm, TextInput } from '../../ui/forms.tsx';
import { Badge } from '../../ui/Badge.tsx';
import { Card, Fold } from '../../ui/Card.tsx';
import { Announcement } from '../../ui/Notice.tsx';
import { RowLink, useNamed } from '../../ui/LinkedRows.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import { useUnsavedEntry } from '../../ui/use-guarded.ts';
import { type EntriesProps, EntryMark, useChangeAnnouncement } from './MemberList.tsx';

interface Props extends EntriesProps {
  readonly users: readonly DraftUser[];
  /** The caller may not add anything, now or later. */
  readonly isReadOnly: boolean;
  readonly onChange: (users: readonly DraftUser[]) => void;
}

/** Number of users shown at first, and number from which they can be searched. */
const SHOWN = 50;
const MANY = 10;

export function Users({ users, caller, scope, problemOf, isDisabled, isReadOnly, onChange }: Props) {
  const messages = useMessages('access');
  const [text, setText] = useState('');
  const [all, setAll] = useState(false);
  const isUser = (email: string): boolean => users.some((user) => sameMember(user.email, email));
  const [announcement, announce] = useChangeAnnouncement(isDisabled, isUser);
  const heading = useRef<HTMLHeadingElement>(null);
  const query = text.trim().toLocaleLowerCase();
  const found = users.filter(({ email, name = '' }) => `${email}\n${name}`.toLocaleLowerCase().includes(query));
  const isNamed = useNamed('who');
  const isFurther = found.slice(SHOWN).some(({ email }) => isNamed(email));
  const shown = all || isFurther ? found : found.slice(0, SHOWN);
  return (
    <Card id="rp-users" title={messages.users.title} heading={heading}>
      <p className="rp-quiet">{messages.users.text}</p>
      {users.length > MANY && <SearchField label={messages.users.find} value={text} onChange={setText} width="100%" />}
      {found.length === 0 && users.length > 0 && <p className="rp-empty">{messages.users.nothingFound}</p>}
      <ul className="rp-plain-list" aria-label={messages.users.title}>
        {shown.map((user) => (
          <UserLine
            key={user.email}
            user={user}
            caller={caller}
            scope={scope}
            problem={problemOf(`users ${user.email.toLowerCase()}`)}
            isDisabled={isDisabled}
            onChange={(roles) => onChange(users.map((other) => (other === user ? { ...user, roles } : other)))}
            onRemove={() => {
              onChange(users.filter((other) => other !== user));
              announce({ kind: 'removed', entry: user.email });
              heading.current?.focus();
            }}
          />
        ))}
      </ul>
      {found.length > shown.length && (
        <ActionButton isQuiet onPress={() => setAll(true)}>
          {messages.more({ count: found.length - shown.length })}
        </ActionButton>
      )}
      {!isReadOnly && (
        <AddUser
          isDisabled={isDisabled}
          exists={isUser}
          onAdd={(user) => {
            onChange([...users, user]);
            announce({ kind: 'added', entry: user.email });
          }}
        />
      )}
      <Announcement>{announcement}</Announcement>
    </Card>
  );
}

interface UserLineProps extends Omit<EntriesProps, 'problemOf'> {
  readonly user: DraftUser;
  readonly problem: string | undefined;
  readonly onChange: (roles: readonly string[]) => void;
  readonly onRemove: () => void;
}

function UserLine({ user, caller, scope, problem, isDisabled, onChange, onRemove }: UserLineProps) {
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
          <RemoveButton size="XS" label={messages.remove({ email })} isDisabled={isDisabled} onPress={onRemove} />
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

interface AddUserProps {
  readonly isDisabled: boolean;
  readonly exists: (email: string) => boolean;
  readonly onAdd: (user: DraftUser) => void;
}

export function AddUser({ isDisabled, exists, onAdd }: AddUserProps) {
  const { users: messages, problems, entryHelp, keys } = useMessages('access');
  const [email, setEmail] = useState('');
  const [roles, setRoles] = useState<readonly RoleName[]>([]);
  const [isSubmitted, setSubmitted] = useState(false);
  const field = useRef<TextFieldRef>(null);
  useUnsavedEntry(email.trim() !== '' || roles.length > 0);
  const problem = exists(email.trim()) ? 'listed' : memberProblem([], email);
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
      <SubmitForm isDisabled={isDisabled} onSubmit={add}>
        <TextInput
          ref={field}
          label={messages.email}
          description={entryHelp}
          value={email}
          onChange={setEmail}
          problem={isSubmitted && problem !== undefined ? problems[problem] : undefined}
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
      </SubmitForm>
    </Fold>
  );
}

interface RoleChoiceProps {
  readonly label: string;
  readonly description?: string;
  readonly roles: readonly string[];
  readonly isDisabled?: boolean;
  readonly problem?: string | undefined;
  readonly onChange: (roles: RoleName[]) => void;
}

export function RoleChoice({ label, description, roles, isDisabled = false, problem, onChange }: RoleChoiceProps) {
  const messages = useMessages('access');
  return (
    <CheckboxGroup
      label={label}
      value={[...roles]}
      isDisabled={isDisabled}
      onChange={(values) => onChange(ROLE_NAMES.filter((role) => values.includes(role)))}
      width="100%"
      {...(description === undefined ? {} : { description })}
      {...(problem === undefined ? {} : { isInvalid: true, errorMessage: problem })}
    >
      {ROLE_NAMES.map((role) => (
        <Checkbox key={role} value={role}>
          <span className="rp-role">
            <span>{messages.roleOf[role]}</span>
            <span className="rp-quiet">{messages.roles[role].may}</span>
          </span>
        </Checkbox>
      ))}
    </CheckboxGroup>
  );
}
