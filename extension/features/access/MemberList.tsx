import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import type { TextFieldRef } from '@adobe/react-spectrum/TextField';
import { memberMatches, referredGroup } from '@repoless/contract/access.ts';
import { type GroupScope, isListed, refersToMissingGroup, memberProblem, resolveEntry, sameMember } from '@repoless/core/access/groups.ts';
import { useId, useRef, useState } from 'react';
import { RemoveButton, TextInput } from '../../ui/forms.tsx';
import { Badge } from '../../ui/Badge.tsx';
import { Announcement } from '../../ui/Notice.tsx';
import { RowLink, useNamed } from '../../ui/LinkedRows.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import { useUnsavedEntry } from '../../ui/use-guarded.ts';

/** The context of entries of an access list: who edits them, the groups they may name, and the service's error for each. */
export interface EntriesProps extends Omit<EntryMarkProps, 'entry' | 'account'> {
  readonly problemOf: (entry: string) => string | undefined;
  readonly isDisabled: boolean;
}

interface Props extends EntriesProps, Pick<EntryMarkProps, 'account'> {
  readonly level: 2 | 3;
  readonly label: string;
  readonly help: string;
  readonly members: readonly string[];
  readonly onChange: (members: string[]) => void;
}

const SHOWN = 50;

export function MemberList({ level, label, help, members, caller, scope, account, problemOf, isDisabled, onChange }: Props) {
  const messages = useMessages('access');
  const [text, setText] = useState('');
  const [isSubmitted, setSubmitted] = useState(false);
  const [all, setAll] = useState(false);
  const [announcement, announce] = useChangeAnnouncement(isDisabled, (entry) => isListed(members, entry));
  const field = useRef<TextFieldRef>(null);
  useUnsavedEntry(text.trim() !== '');
  const id = useId();
  const Heading = level === 2 ? 'h2' : 'h3';
  const problem = memberProblem(members, text);
  const add = (): void => {
    setSubmitted(true);
    if (problem !== undefined) return;
    onChange([...members, text.trim()]);
    announce({ kind: 'added', entry: text.trim() });
    setText('');
    setSubmitted(false);
    field.current?.focus();
  };
  const remove = (entry: string): void => {
    onChange(members.filter((other) => !sameMember(other, entry)));
    announce({ kind: 'removed', entry });
    field.current?.focus();
  };
  const isNamed = useNamed('who');
  const shown = all || members.slice(SHOWN).some(isNamed) ? members : members.slice(0, SHOWN);
  return (
    <div role="group" aria-labelledby={id} aria-describedby={`${id}-help`} className="rp-members">
      <Heading id={id}>{label}</Heading>
      <p id={`${id}-help`} className="rp-quiet">
        {help}
      </p>
      {members.length === 0 && <p className="rp-unset">{messages.nobody}</p>}
      <ul className="rp-plain-list" aria-label={label}>
        {shown.map((entry) => {
          const wrong = problemOf(entry);
          return (
            <li key={entry} className={wrong === undefined ? 'rp-member' : 'rp-member rp-member-wrong'}>
              <span className="rp-member-text">
                <span className="rp-value">
                  <RowLink parameter="who" name={entry}>
                    {entry}
                  </RowLink>
                </span>
                <EntryMark entry={entry} caller={caller} scope={scope} account={account} />
                {wrong !== undefined && <span className="rp-wrong">{wrong}</span>}
              </span>
              <RemoveButton
                size="XS"
                label={messages.remove({ entry, list: label })}
                isDisabled={isDisabled}
                onPress={() => remove(entry)}
              />
            </li>
          );
        })}
      </ul>
      {members.length > shown.length && (
        <ActionButton isQuiet onPress={() => setAll(true)}>
          {messages.more({ count: members.length - shown.length })}
        </ActionButton>
      )}
      <div className="rp-member-add">
        <TextInput
          ref={field}
          label={messages.entry({ list: label })}
          description={messages.entryHelp}
          value={text}
          onChange={(next) => {
            setText(next);
            setSubmitted(false);
          }}
          onKeyDown={(event) => (event.key === 'Enter' ? add() : event.continuePropagation())}
          isDisabled={isDisabled}
          problem={isSubmitted && problem !== undefined ? messages.problems[problem] : undefined}
        />
        <ActionButton isDisabled={isDisabled} aria-label={messages.addTo({ list: label })} onPress={add}>
          {messages.add}
        </ActionButton>
      </div>
      <Announcement>{announcement}</Announcement>
    </div>
  );
}

interface EntryMarkProps {
  readonly entry: string;
  readonly caller: readonly string[];
  readonly scope: GroupScope;
  /** The technical account of the authoring environment, if this list is about technical accounts. */
  readonly account?: string | undefined;
}

/** Marks an entry that is not a plain address: oneself, a group, everyone. */
export function EntryMark({ entry, caller, scope, account }: EntryMarkProps) {
  const messages = useMessages('access');
  if (entry === '*') return <Badge tone="notice" text={messages.everyone} />;
  if (entry.startsWith('*@')) return <Badge tone="notice" text={messages.domain({ domain: entry.slice(2) })} />;
  if (refersToMissingGroup(entry, scope)) return <Badge tone="negative" text={messages.unknownGroup} />;
  if (referredGroup(entry) !== undefined)
    return scope.organization === undefined ? null : (
      <Badge tone="neutral" text={messages.group({ count: resolveEntry(entry, scope).length })} />
    );
  if (memberMatches(entry, caller)) return <Badge tone="info" text={messages.you} />;
  if (account !== undefined && sameMember(entry, account)) return <Badge tone="positive" text={messages.account.own} />;
  return null;
}

interface Change {
  readonly kind: 'added' | 'removed';
  readonly entry: string;
}

/**
 * The announcement for an entry that was just added to or removed from a list, until that is saved or reverted. `isDisabled`: the list is
 * being saved; `isThere`: whether an entry is in the list.
 */
export function useChangeAnnouncement(isDisabled: boolean, exists: (entry: string) => boolean): [string, (change: Change) => void] {
  const messages = useMessages('access');
  const [change, setChange] = useState<Change>();
  if (isDisabled && change !== undefined) setChange(undefined);
  const isSo = change !== undefined && exists(change.entry) === (change.kind === 'added');
  return [isSo ? messages[change.kind]({ entry: change.entry }) : '', setChange];
}
