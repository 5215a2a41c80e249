import { Button } from '@adobe/react-spectrum/Button';
import { Radio, RadioGroup } from '@adobe/react-spectrum/RadioGroup';
import { ROLE_NAMES, type RoleName } from '@repoless/contract/access.ts';
import {
  type AccessKind,
  problemKey,
  type SignInRule,
  siteAccessKind,
  type SiteDraft,
  withRole,
} from '@repoless/core/access/access-kind.ts';
import { isListed } from '@repoless/core/access/groups.ts';
import { readSiteAccess, type SiteAccessRead } from '@repoless/core/access/read-access.ts';
import { siteWarnings } from '@repoless/core/access/warnings.ts';
import type { HistorySubject } from '@repoless/core/history/subject.ts';
import type { ServicePort } from '@repoless/core/plan/ports.ts';
import type { Environment } from '@repoless/core/sites/environments.ts';
import type { Known } from '@repoless/core/situation/situation.ts';
import { useCallback, useMemo, useState } from 'react';
import { Fold } from '../../ui/Fold.tsx';
import { useNamed } from '../../ui/address/LinkedRows.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import { useReading } from '../../ui/use-reading.ts';
import { MemberList } from './MemberList.tsx';
import { OtherPeopleWithAccess } from './OtherPeopleWithAccess.tsx';
import { ReviewBar } from './ReviewBar.tsx';
import { Warnings } from './Warnings.tsx';
import { ReadOnlyNotice, Saved, Unreadable } from './notices.tsx';
import { useEdit } from './use-edit.ts';

interface Props {
  readonly service: ServicePort;
  readonly organization: string;
  readonly site: string;
  readonly environment: (() => Promise<Known<Environment>>) | undefined;
  readonly onUnsaved: (isUnsaved: boolean) => void;
  readonly onChanged: () => void;
  readonly onHistory: () => void;
}

const WHEN_ASKED = () => undefined;
const NO_ENVIRONMENT = async (): Promise<Known<Environment>> => ({ state: 'missing' });

/** Who may do what on a site: read, edited, stored, read again. */
export function SiteAccess({ service, organization, site, environment, onUnsaved, onChanged, onHistory }: Props) {
  const { access } = useMessages();
  const messages = useMessages('access');
  const kind = useMemo(() => siteAccessKind(organization, site), [organization, site]);
  const read = useCallback(() => readSiteAccess(service, organization, site), [service, organization, site]);
  const [reading, again, readAgain] = useReading(read, WHEN_ASKED);
  const [readEnvironment] = useState(() => environment ?? NO_ENVIRONMENT);
  const [context] = useReading(readEnvironment, WHEN_ASKED);
  const [saved, setSaved] = useState(0);
  /** There is another change by now. */
  const [isOver, setOver] = useState(false);
  const settle = async (): Promise<void> => {
    await readAgain();
    setSaved((times) => times + 1);
    setOver(false);
    onChanged();
  };
  const tell = (isUnsaved: boolean): void => {
    if (isUnsaved) setOver(true);
    onUnsaved(isUnsaved);
  };
  const environments = context.state === 'ready' ? [context.value] : [];
  if (reading.state !== 'ready' || reading.failure !== undefined) {
    const failure = reading.state === 'ready' ? reading.failure : undefined;
    const shown = reading.state === 'ready' ? (failure === undefined ? undefined : { state: 'failed' as const, failure }) : reading;
    return (
      <>
        {saved > 0 && <Saved key={saved} isOver={isOver} onHistory={onHistory} />}
        {shown !== undefined && (
          <Unreadable
            reading={shown}
            loading={access.reading}
            missing={messages.missing}
            notAllowed={messages.notAllowed.site}
            onRetry={again}
          />
        )}
      </>
    );
  }
  return (
    <>
      {saved > 0 && <Saved key={saved} isOver={isOver} onHistory={onHistory} />}
      <SiteEditor
        service={service}
        subject={{ kind: 'site', organization, name: site }}
        kind={kind}
        read={reading.value}
        environments={environments}
        onUnsaved={tell}
        onSaved={() => void settle()}
      />
    </>
  );
}

interface SiteEditorProps {
  readonly service: ServicePort;
  readonly subject: HistorySubject;
  readonly kind: AccessKind<SiteDraft>;
  readonly read: SiteAccessRead;
  readonly environments: readonly Environment[];
  readonly onUnsaved: (isUnsaved: boolean) => void;
  readonly onSaved: () => void;
}

const STRONG: ReadonlySet<RoleName> = new Set<RoleName>(['admin', 'config_admin']);
const OTHERS = ROLE_NAMES.filter((role) => !STRONG.has(role));

/** Administrators, technical account and the other roles of a site, as they are and as they shall be. */
function SiteEditor({ service, subject, kind, read, environments, onUnsaved, onSaved }: SiteEditorProps) {
  const messages = useMessages('access');
  const isNamed = useNamed('who');
  const editor = useEdit({ service, subject, kind, first: read.held, onUnsaved, onSaved });
  const { draft, stored, phase } = editor;
  const { scope, caller, refused } = read;
  const isDisabled = refused !== undefined || phase.state === 'looking' || phase.state === 'saving';
  const around = { caller, scope, users: read.users, profile: read.profile?.roles, environments };
  const warnings = siteWarnings(stored, draft, around);
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
              <Button variant="secondary" isDisabled={isDisabled} onPress={() => set('config_admin', [...technical, account])}>
                {messages.account.add({ account })}
              </Button>
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
      <Warnings kind="site" warnings={warnings} />
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

/** Whether the configuration can be read without signing in, and what each answer means. */
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
