import { memberMatches, referredGroup } from '#contract/access.ts';
import { lacksGroup, resolved } from '#extension/setup/access/groups.ts';
import type { GroupScope } from '#extension/setup/access/groups.ts';
import { sameMember } from '#extension/setup/access/members.ts';
import { Badge } from '../shared/Badge.tsx';
import { useAccessWords } from './use-access-words.ts';

interface Props {
  readonly entry: string;
  readonly caller: readonly string[];
  readonly scope: GroupScope;
  readonly account?: string | undefined;
}

/** What an entry is that is no plain address: oneself, a group, everybody. */
export function EntryMark({ entry, caller, scope, account }: Props) {
  const words = useAccessWords();
  if (entry === '*') return <Badge tone="notice" text={words.everyone} />;
  if (entry.startsWith('*@')) return <Badge tone="notice" text={words.domain(entry.slice(2))} />;
  if (lacksGroup(entry, scope)) return <Badge tone="negative" text={words.unknownGroup} />;
  if (referredGroup(entry) !== undefined)
    return scope.organization === undefined ? null : <Badge tone="neutral" text={words.group(resolved(entry, scope).length)} />;
  if (memberMatches(entry, caller)) return <Badge tone="info" text={words.you} />;
  if (account !== undefined && sameMember(entry, account)) return <Badge tone="positive" text={words.account.own} />;
  return null;
}
