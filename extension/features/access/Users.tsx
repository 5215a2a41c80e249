import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { SearchField } from '@adobe/react-spectrum/SearchField';
import { useRef, useState } from 'react';
import type { GroupScope } from '@repoless/core/access/groups.ts';
import { sameMember } from '@repoless/core/access/members.ts';
import type { DraftUser } from '@repoless/core/access/organization-draft.ts';
import { useNamed } from '../../ui/address/linked-rows-context.ts';
import { AddUser } from './AddUser.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import { useChangeAnnouncement } from './use-change-announcement.ts';
import { UserLine } from './UserLine.tsx';

interface Props {
  readonly users: readonly DraftUser[];
  readonly caller: readonly string[];
  readonly scope: GroupScope;
  readonly problemOf: (key: string) => string | undefined;
  readonly isDisabled: boolean;
  /** Nobody may add anything, now or later. */
  readonly isReadOnly: boolean;
  readonly onChange: (users: readonly DraftUser[]) => void;
}

/** So many users are drawn without being asked, and from so many on they can be searched. */
const SHOWN = 50;
const MANY = 10;

/** The users of an organization with their roles. */
export function Users({ users, caller, scope, problemOf, isDisabled, isReadOnly, onChange }: Props) {
  const messages = useMessages('access');
  const [text, setText] = useState('');
  const [all, setAll] = useState(false);
  const isUser = (email: string): boolean => users.some((user) => sameMember(user.email, email));
  const [said, say] = useChangeAnnouncement(isDisabled, isUser);
  const heading = useRef<HTMLHeadingElement>(null);
  const wanted = text.trim().toLocaleLowerCase();
  const found = users.filter(({ email, name = '' }) => `${email}\n${name}`.toLocaleLowerCase().includes(wanted));
  const isNamed = useNamed('who');
  const isFurther = found.slice(SHOWN).some(({ email }) => isNamed(email));
  const shown = all || isFurther ? found : found.slice(0, SHOWN);
  return (
    <section className="rp-card" aria-labelledby="rp-users">
      <h2 id="rp-users" tabIndex={-1} ref={heading}>
        {messages.users.title}
      </h2>
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
              say({ kind: 'removed', entry: user.email });
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
          isThere={isUser}
          onAdd={(user) => {
            onChange([...users, user]);
            say({ kind: 'added', entry: user.email });
          }}
        />
      )}
      <span role="status" className="rp-hidden">
        {said}
      </span>
    </section>
  );
}
