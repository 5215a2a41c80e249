import type { OwnOrgs } from '@repoless/contract/org.ts';
import type { Denied } from '@repoless/core/checks/caller-permissions.ts';
import { use, useId } from 'react';
import { TextButton } from './TextButton.tsx';
import { Card } from './Card.tsx';
import { CopyButton } from './CopyButton.tsx';
import { Facts } from './Facts.tsx';
import { CallerContext } from './organization-contexts.ts';
import { useList, useMessages } from './use-messages.ts';
import { useReading } from './use-reading.ts';

/** Shown instead of what a person may not see or do: who they are, what they can use, who can help, and a text for requesting access. */
export function NoPermission({ denied, onRetry }: { readonly denied: Denied; readonly onRetry: () => void }) {
  const { permission, general } = useMessages('permission');
  const list = useList();
  const id = useId();
  const { profile, organizations } = use(CallerContext);
  const [own] = useReading(profile);
  const [ownOrganizations] = useReading(organizations);
  const { organization, site, grantedBy } = denied;
  const caller = denied.caller ?? (own.state === 'ready' ? own.value.email : undefined);
  const organizationsOf = ({ orgs, more }: OwnOrgs): string[] => [
    ...orgs.map(({ name, roles }) => permission.withRoles({ organization: name, roles })),
    ...(more === true ? ['…'] : []),
  ];
  const text = permission.request({ organization, site, caller });
  const facts = [
    [permission.caller, caller],
    [
      permission.organizations,
      ownOrganizations.state === 'ready' ? list(organizationsOf(ownOrganizations.value)) || permission.none : undefined,
    ],
    [permission.helpers, grantedBy || permission.unknown],
  ] as const;
  return (
    <Card id={id} title={permission.title({ organization, site })}>
      <p>{permission.text({ organization, site })}</p>
      <Facts className="rp-settings" rows={facts} />
      <h3>{permission.requestTitle}</h3>
      <p className="rp-pre">{text}</p>
      <div className="rp-actions">
        <CopyButton text={text} label={permission.requestTitle} />
        <TextButton onPress={onRetry} text={general.retry} />
      </div>
    </Card>
  );
}
