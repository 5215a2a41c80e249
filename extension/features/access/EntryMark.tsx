import { memberMatches, referredGroup } from '@repoless/contract/access.ts';
import { lacksGroup, resolved } from '@repoless/core/access/groups.ts';
import type { GroupScope } from '@repoless/core/access/groups.ts';
import { sameMember } from '@repoless/core/access/members.ts';
import { Badge } from '../../ui/Badge.tsx';
import { useMessages } from '../../ui/use-messages.ts';

interface Props {
  readonly entry: string;
  readonly caller: readonly string[];
  readonly scope: GroupScope;
  readonly account?: string | undefined;
}

/** What an entry is that is no plain address: oneself, a group, everybody. */
export function EntryMark({ entry, caller, scope, account }: Props) {
  const messages = useMessages('access');
  if (entry === '*') return <Badge tone="notice" text={messages.everyone} />;
  if (entry.startsWith('*@')) return <Badge tone="notice" text={messages.domain({ domain: entry.slice(2) })} />;
  if (lacksGroup(entry, scope)) return <Badge tone="negative" text={messages.unknownGroup} />;
  if (referredGroup(entry) !== undefined)
    return scope.organization === undefined ? null : (
      <Badge tone="neutral" text={messages.group({ count: resolved(entry, scope).length })} />
    );
  if (memberMatches(entry, caller)) return <Badge tone="info" text={messages.you} />;
  if (account !== undefined && sameMember(entry, account)) return <Badge tone="positive" text={messages.account.own} />;
  return null;
}
