import { Button } from '@adobe/react-spectrum/Button';
import { ROLE_NAMES } from '@repoless/contract/access.ts';
import type { RoleName } from '@repoless/contract/access.ts';
import { problemKey } from '@repoless/core/access/access-kind.ts';
import type { AccessKind } from '@repoless/core/access/access-kind.ts';
import { isListed } from '@repoless/core/access/members.ts';
import type { SiteAccessRead } from '@repoless/core/access/read-access.ts';
import { withRole } from '@repoless/core/access/site-draft.ts';
import type { SiteDraft } from '@repoless/core/access/site-draft.ts';
import { siteWarnings } from '@repoless/core/access/warnings.ts';
import type { HistorySubject } from '@repoless/core/history/subject.ts';
import type { ServicePort } from '@repoless/core/plan/ports.ts';
import type { Environment } from '@repoless/core/sites/environments.ts';
import { useNamed } from '../../ui/address/linked-rows-context.ts';
import { Fold } from '../../ui/Fold.tsx';
import { ReadOnlyNotice } from './ReadOnlyNotice.tsx';
import { MemberList } from './MemberList.tsx';
import { ReviewBar } from './ReviewBar.tsx';
import { SignInChoice } from './SignInChoice.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import { useEdit } from './use-edit.ts';
import { Warnings } from './Warnings.tsx';
import { OtherPeopleWithAccess } from './OtherPeopleWithAccess.tsx';

interface Props {
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
export function SiteEditor({ service, subject, kind, read, environments, onUnsaved, onSaved }: Props) {
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
