import { type HistorySubject, subjectName } from '@repoless/core/history/history-port.ts';
import type { ServicePort } from '@repoless/core/situation/ports.ts';
import type { Environment } from '@repoless/core/sites/environments.ts';
import type { Known } from '@repoless/core/situation/call.ts';
import { type Group, GroupName } from '@repoless/contract/access.ts';
import { type OrganizationDraft, organizationKind, problemKey } from '@repoless/core/access/access-kind.ts';
import { type Groups as GroupsByName, sameMember } from '@repoless/core/access/groups.ts';
import { type OrganizationRead, readOrganization } from '@repoless/core/access/read-access.ts';
import { organizationWarnings } from '@repoless/core/access/consequences.ts';
import { useCallback, useMemo, useRef, useState } from 'react';
import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { LinkedRows, useNamed } from '../../ui/LinkedRows.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import { WithHistory } from '../history/History.tsx';
import { ApiKeys } from './ApiKeys.tsx';
import { SiteAccess } from './SiteAccess.tsx';
import '../external-repository/external.css';
import '../history/history.css';
import './access.css';
import { Card, Fold } from '../../ui/Card.tsx';
import { Announcement } from '../../ui/Notice.tsx';
import { TextInput } from '../../ui/forms.tsx';
import { useUnsavedEntry } from '../../ui/use-guarded.ts';
import { type EntriesProps, MemberList, useChangeAnnouncement } from './MemberList.tsx';
import { ReviewBar } from './ReviewBar.tsx';
import { ReadOnlyNotice, StoredAccess, Warnings } from './notices.tsx';
import { Users } from './Users.tsx';
import { type Edited, useEdit } from './use-edit.ts';

export interface AccessProps {
  readonly service: ServicePort;
  readonly subject: HistorySubject;
  /** The authoring environment of a site's content, if it can be read. */
  readonly environment?: (() => Promise<Known<Environment>>) | undefined;
  readonly onUnsaved: (isUnsaved: boolean) => void;
  readonly onChanged: () => void;
}

export function AccessPanel({ service, subject: first, environment, onUnsaved, onChanged }: AccessProps) {
  const messages = useMessages('access');
  const [subject] = useState(first);
  const { organization } = subject;
  const title = messages.title({ kind: subject.kind, name: subjectName(subject) });
  return (
    <LinkedRows>
      <WithHistory service={service} subject={subject} id="rp-access" title={title} onUnsaved={onUnsaved} onChanged={onChanged}>
        {({ key, ...edited }) => (
          <>
            {subject.kind === 'site' && (
              <SiteAccess
                key={key}
                {...edited}
                service={service}
                organization={organization}
                site={subject.name}
                environment={environment}
                onChanged={onChanged}
              />
            )}
            {subject.kind === 'organization' && (
              <OrganizationAccess key={key} {...edited} service={service} organization={organization} onChanged={onChanged} />
            )}
            {subject.kind !== 'profile' && <ApiKeys service={service} subject={subject} />}
          </>
        )}
      </WithHistory>
    </LinkedRows>
  );
}

interface OrganizationProps extends Pick<AccessProps, 'service' | 'onUnsaved' | 'onChanged'> {
  readonly organization: string;
  readonly onHistory: () => void;
}

function OrganizationAccess({ service, organization, ...stored }: OrganizationProps) {
  const messages = useMessages('access');
  const kind = useMemo(() => organizationKind(organization), [organization]);
  const read = useCallback(() => readOrganization(service, organization), [service, organization]);
  const edited = { service, kind, subject: { kind: 'organization', organization } } as const;
  return (
    <StoredAccess {...stored} read={read} missing={messages.missingOrganization} about={{ organization }}>
      {(value, callbacks) => <OrganizationEditor {...edited} {...callbacks} read={value} />}
    </StoredAccess>
  );
}

function OrganizationEditor(props: Edited<OrganizationDraft, OrganizationRead>) {
  const { read } = props;
  const editor = useEdit(props);
  const { draft, phase } = editor;
  const isReadOnly = read.refused !== undefined;
  const isDisabled = isReadOnly || phase.state === 'looking' || phase.state === 'saving';
  const shared = { caller: read.caller, scope: { organization: draft.groups }, problemOf: editor.problemOf, isDisabled, isReadOnly };
  return (
    <>
      {read.refused !== undefined && <ReadOnlyNotice failure={read.refused} />}
      <Users {...shared} users={draft.users} onChange={(users) => editor.edit({ ...draft, users })} />
      <Groups {...shared} groups={draft.groups} onChange={(groups) => editor.edit({ ...draft, groups })} />
      {phase.state !== 'review' && <Warnings kind="organization" warnings={organizationWarnings(editor.stored, draft, read.caller)} />}
      {!isReadOnly && <ReviewBar kind="organization" editor={editor} />}
    </>
  );
}

interface GroupsProps extends EntriesProps {
  readonly groups: GroupsByName;
  /** The caller may not add anything, now or later. */
  readonly isReadOnly: boolean;
  readonly onChange: (groups: GroupsByName) => void;
}

export function Groups({ groups, caller, scope, problemOf, isDisabled, isReadOnly, onChange }: GroupsProps) {
  const { groups: messages, problems } = useMessages('access');
  const isNamed = useNamed('who');
  const [name, setName] = useState('');
  const [isSubmitted, setSubmitted] = useState(false);
  const [created, setCreated] = useState<string>();
  const [announcement, announce] = useChangeAnnouncement(isDisabled, (entry) =>
    Object.keys(groups).some((one) => `groups/${one}` === entry),
  );
  const heading = useRef<HTMLHeadingElement>(null);
  const entered = name.trim();
  useUnsavedEntry(entered !== '');
  const nameProblem = GroupName.safeParse(entered).success ? undefined : messages.nameHelp;
  const problem = Object.hasOwn(groups, entered) ? messages.listed : entered === '' ? problems.empty : nameProblem;
  const add = (): void => {
    setSubmitted(true);
    if (problem !== undefined) return;
    onChange({ ...groups, [entered]: { members: [] } });
    setCreated(entered);
    setName('');
    setSubmitted(false);
  };
  const all = Object.entries(groups);
  return (
    <Card id="rp-groups" title={messages.title} heading={heading}>
      <p className="rp-quiet">{messages.text}</p>
      {all.length === 0 && <p className="rp-unset">{messages.empty}</p>}
      {all.map(([one, group]) => {
        const wrong = problemOf(problemKey('groups', one));
        return (
          <Fold
            key={one}
            title={`groups/${one} – ${messages.members({ count: group.members.length })}`}
            open={one === created || group.members.some(({ email }) => isNamed(email))}
          >
            {wrong !== undefined && <p className="rp-wrong">{wrong}</p>}
            <MemberList
              level={3}
              label={`groups/${one}`}
              help={messages.members({ count: group.members.length })}
              members={group.members.map(({ email }) => email)}
              caller={caller}
              scope={scope}
              problemOf={(entry) => problemOf(problemKey(`groups/${one}`, entry))}
              isDisabled={isDisabled}
              onChange={(members) => onChange({ ...groups, [one]: withMembers(group, members) })}
            />
            <div className="rp-actions">
              <ActionButton
                isDisabled={isDisabled}
                onPress={() => {
                  const { [one]: _gone, ...rest } = groups;
                  onChange(rest);
                  announce({ kind: 'removed', entry: `groups/${one}` });
                  heading.current?.focus();
                }}
              >
                {messages.remove({ name: one })}
              </ActionButton>
            </div>
          </Fold>
        );
      })}
      {!isReadOnly && (
        <div className="rp-member-add">
          <TextInput
            label={messages.name}
            description={messages.nameHelp}
            value={name}
            onChange={(next) => {
              setName(next);
              setSubmitted(false);
            }}
            onKeyDown={(event) => (event.key === 'Enter' ? add() : event.continuePropagation())}
            isDisabled={isDisabled}
            problem={isSubmitted ? problem : undefined}
          />
          <ActionButton isDisabled={isDisabled} onPress={add}>
            {messages.add}
          </ActionButton>
        </div>
      )}
      <Announcement>{announcement}</Announcement>
    </Card>
  );
}

/** Remaining members keep their names. */
function withMembers(group: Group, members: readonly string[]): Group {
  return { members: members.map((email) => group.members.find((member) => sameMember(member.email, email)) ?? { email }) };
}
