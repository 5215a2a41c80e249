import { Radio, RadioGroup } from '@adobe/react-spectrum/RadioGroup';
import { isRoleName, ROLE_NAMES, type RoleName } from '@repoless/contract/access.ts';
import type { OrgUser } from '@repoless/contract/org.ts';
import { problemKey, type SignInRule, siteAccessKind, type SiteDraft, withRole } from '@repoless/core/access/access-kind.ts';
import { isListed } from '@repoless/core/access/groups.ts';
import { readSiteAccess, type SiteAccessRead } from '@repoless/core/access/read-access.ts';
import { siteWarnings } from '@repoless/core/access/consequences.ts';
import type { ServicePort } from '@repoless/core/situation/ports.ts';
import type { Environment } from '@repoless/core/sites/environments.ts';
import type { Known } from '@repoless/core/situation/call.ts';
import { useCallback, useMemo, useState } from 'react';
import { TextButton } from '../../ui/TextButton.tsx';
import { Badge } from '../../ui/Badge.tsx';
import { Card, Fold } from '../../ui/Card.tsx';
import { RowLink, useNamed } from '../../ui/LinkedRows.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import { useReading } from '../../ui/use-reading.ts';
import { MemberList } from './MemberList.tsx';
import { ReviewBar } from './ReviewBar.tsx';
import { ReadOnlyNotice, StoredAccess, Warnings } from './notices.tsx';
import { type Edited, useEdit } from './use-edit.ts';

interface Props {
  readonly service: ServicePort;
  readonly organization: string;
  readonly site: string;
  readonly environment: (() => Promise<Known<Environment>>) | undefined;
  readonly onUnsaved: (isUnsaved: boolean) => void;
  readonly onChanged: () => void;
  readonly onHistory: () => void;
}

const NO_ENVIRONMENT = async (): Promise<Known<Environment>> => ({ state: 'missing' });

export function SiteAccess({ service, organization, site, environment, ...stored }: Props) {
  const messages = useMessages('access');
  const kind = useMemo(() => siteAccessKind(organization, site), [organization, site]);
  const read = useCallback(() => readSiteAccess(service, organization, site), [service, organization, site]);
  const [readEnvironment] = useState(() => environment ?? NO_ENVIRONMENT);
  const [context] = useReading(readEnvironment);
  const edited = { service, kind, subject: { kind: 'site', organization, name: site } } as const;
  return (
    <StoredAccess {...stored} read={read} missing={messages.missing} about={{ organization, site }}>
      {(value, callbacks) => (
        <SiteEditor {...edited} {...callbacks} read={value} environments={context.state === 'ready' ? [context.value] : []} />
      )}
    </StoredAccess>
  );
}

interface SiteEditorProps extends Edited<SiteDraft, SiteAccessRead> {
  readonly environments: readonly Environment[];
}

const STRONG: ReadonlySet<RoleName> = new Set<RoleName>(['admin', 'config_admin']);
const OTHERS = ROLE_NAMES.filter((role) => !STRONG.has(role));

function SiteEditor({ environments, ...props }: SiteEditorProps) {
  const { subject, read } = props;
  const messages = useMessages('access');
  const isNamed = useNamed('who');
  const editor = useEdit(props);
  const { draft, stored, phase } = editor;
  const { scope, caller, refused } = read;
  const isDisabled = refused !== undefined || phase.state === 'looking' || phase.state === 'saving';
  const context = { caller, scope, users: read.users, profile: read.profile?.roles, environments };
  const warnings = siteWarnings(stored, draft, context);
  const account = environments[0]?.technicalAccount;
  const set = (role: RoleName, members: readonly string[]): void => editor.edit(withRole(draft, role, members, stored));
  const list = (role: RoleName) => (
    <MemberList
      key={role}
      level={STRONG.has(role) ? 2 : 3}
      label={messages.roles[role].name}
      help={role === 'config_admin' ? messages.accountsText : messages.roles[role].may}
      members={draft.roles[role] ?? []}
      caller={caller}
      scope={scope}
      account={role === 'config_admin' ? account : undefined}
      problemOf={(entry) => editor.problemOf(problemKey(role, entry))}
      isDisabled={isDisabled}
      onChange={(members) => set(role, members)}
    />
  );
  const technical = draft.roles.config_admin ?? [];
  return (
    <>
      {refused !== undefined && <ReadOnlyNotice failure={refused} />}
      <div className="rp-access">
        <section className="rp-card" aria-label={messages.roles.admin.name}>
          {list('admin')}
        </section>
        <section className="rp-card" aria-label={messages.roles.config_admin.name}>
          {list('config_admin')}
          {account !== undefined && !isListed(technical, account) && refused === undefined && (
            <div className="rp-proposal">
              <span className="rp-quiet">{messages.account.proposed}</span>
              <TextButton
                isDisabled={isDisabled}
                onPress={() => set('config_admin', [...technical, account])}
                text={messages.account.add({ account })}
              />
            </div>
          )}
        </section>
      </div>
      <section className="rp-card">
        <SignInChoice rule={draft.signIn} isDisabled={isDisabled} onChange={(signIn) => editor.edit({ ...draft, signIn })} />
        <Fold
          title={messages.others({ count: OTHERS.filter((role) => (stored.roles[role] ?? []).length > 0).length })}
          open={OTHERS.some((role) => draft.roles[role]?.some(isNamed) === true)}
        >
          <div className="rp-access">{OTHERS.map(list)}</div>
        </Fold>
      </section>
      {phase.state !== 'review' && <Warnings kind="site" warnings={warnings} />}
      {refused === undefined && <ReviewBar kind="site" editor={editor} />}
      <OtherPeopleWithAccess organization={subject.organization} users={read.users} profile={read.profile} draft={draft} />
    </>
  );
}

interface SignInChoiceProps {
  readonly rule: SignInRule;
  readonly isDisabled: boolean;
  readonly onChange: (rule: SignInRule) => void;
}

const RULES = ['auto', 'always', 'open'] as const satisfies readonly SignInRule[];

function SignInChoice({ rule, isDisabled, onChange }: SignInChoiceProps) {
  const { signIn } = useMessages('access');
  return (
    <RadioGroup
      label={signIn.label}
      value={rule}
      isDisabled={isDisabled}
      onChange={(value) => onChange(RULES.find((one) => one === value) ?? 'auto')}
      description={signIn.rules[rule].text}
    >
      {RULES.map((one) => (
        <Radio key={one} value={one}>
          {signIn.rules[one].name}
        </Radio>
      ))}
    </RadioGroup>
  );
}

interface OtherPeopleWithAccessProps {
  readonly organization: string;
  readonly users: readonly OrgUser[] | undefined;
  readonly profile: SiteAccessRead['profile'];
  readonly draft: SiteDraft;
}

interface Person {
  readonly entry: string;
  readonly roles: readonly string[];
}

/** People with access to the site who are not in its own lists, so that no one is surprised. */
function OtherPeopleWithAccess({ organization, users, profile, draft }: OtherPeopleWithAccessProps) {
  const { elsewhere } = useMessages('access');
  const isNamed = useNamed('who');
  const inherited =
    profile === undefined
      ? []
      : byEntry(
          ROLE_NAMES.filter((role) => draft.roles[role] === undefined),
          profile.roles,
        );
  return (
    <Card id="rp-elsewhere" title={elsewhere.title}>
      <p className="rp-quiet">{elsewhere.text}</p>
      {users === undefined ? (
        <p>{elsewhere.unread}</p>
      ) : (
        <Fold
          title={`${elsewhere.organization({ name: organization })} (${users.length})`}
          open={users.length <= FEW || users.some(({ email }) => isNamed(email))}
        >
          <People people={users.map(({ email, roles }) => ({ entry: email, roles }))} />
        </Fold>
      )}
      {profile !== undefined && (
        <Fold title={`${elsewhere.profile({ name: profile.name })} (${inherited.length})`} open>
          <p className="rp-quiet">{elsewhere.profileText}</p>
          <People people={inherited} />
        </Fold>
      )}
    </Card>
  );
}

const FEW = 8;

function People({ people }: { readonly people: readonly Person[] }) {
  const { roleOf, elsewhere } = useMessages('access');
  if (people.length === 0) return <p className="rp-unset">{elsewhere.nobody}</p>;
  return (
    <ul className="rp-plain-list">
      {people.map(({ entry, roles }) => (
        <li key={entry} className="rp-person">
          <span className="rp-value">
            <RowLink parameter="who" name={entry}>
              {entry}
            </RowLink>
          </span>
          {roles.map((role) => (
            <Badge key={role} tone="neutral" text={isRoleName(role) ? roleOf[role] : role} />
          ))}
        </li>
      ))}
    </ul>
  );
}

function byEntry(roles: readonly RoleName[], lists: SiteDraft['roles']): Person[] {
  const entries = [...new Set(roles.flatMap((role) => lists[role] ?? []))];
  return entries.map((entry) => ({ entry, roles: roles.filter((role) => lists[role]?.includes(entry) === true) }));
}
