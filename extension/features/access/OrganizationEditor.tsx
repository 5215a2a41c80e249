import type { AccessKind } from '@repoless/core/access/access-kind.ts';
import type { OrganizationDraft } from '@repoless/core/access/organization-draft.ts';
import type { OrganizationRead } from '@repoless/core/access/read-access.ts';
import { organizationWarnings } from '@repoless/core/access/warnings.ts';
import type { ServicePort } from '@repoless/core/plan/ports.ts';
import { Groups } from './Groups.tsx';
import { ReadOnlyNotice } from './ReadOnlyNotice.tsx';
import { ReviewBar } from './ReviewBar.tsx';
import { useEdit } from './use-edit.ts';
import { Users } from './Users.tsx';
import { Warnings } from './Warnings.tsx';

interface Props {
  readonly service: ServicePort;
  readonly organization: string;
  readonly kind: AccessKind<OrganizationDraft>;
  readonly read: OrganizationRead;
  readonly onUnsaved: (isUnsaved: boolean) => void;
  readonly onSaved: () => void;
}

/** Users with their roles, and groups with their members, as they are and as they shall be. */
export function OrganizationEditor({ service, organization, kind, read, onUnsaved, onSaved }: Props) {
  const subject = { kind: 'organization', organization } as const;
  const editor = useEdit({ service, subject, kind, first: read.held, onUnsaved, onSaved });
  const { draft, phase } = editor;
  const isReadOnly = read.refused !== undefined;
  const isDisabled = isReadOnly || phase.state === 'looking' || phase.state === 'saving';
  const shared = { caller: read.caller, scope: { organization: draft.groups }, problemOf: editor.problemOf, isDisabled, isReadOnly };
  return (
    <>
      {read.refused !== undefined && <ReadOnlyNotice failure={read.refused} />}
      <Users {...shared} users={draft.users} onChange={(users) => editor.edit({ ...draft, users })} />
      <Groups {...shared} groups={draft.groups} onChange={(groups) => editor.edit({ ...draft, groups })} />
      <Warnings kind="organization" warnings={organizationWarnings(editor.stored, draft, read.caller)} />
      {!isReadOnly && <ReviewBar kind="organization" editor={editor} />}
    </>
  );
}
