import type { AccessWarning } from '@repoless/core/access/warnings.ts';
import { type Explained, explainFailure, serviceAnswer } from '@repoless/core/messages/explain-failure.ts';
import type { Messages, MessagesOf } from '@repoless/core/messages/language.ts';
import type { Failure } from '@repoless/core/situation/situation.ts';
import Alert from '@spectrum-icons/workflow/Alert';
import { Notice } from '../../ui/Notice.tsx';
import { Explanation } from '../../ui/Explanation.tsx';
import { Unread } from '../../ui/Unread.tsx';
import { useMessages } from '../../ui/use-messages.ts';

/** Shown to people who may read but not change this: why, and who can grant it. */
export function ReadOnlyNotice({ failure }: { readonly failure: Failure }) {
  const { lookOnly } = useMessages('access');
  const { sentence } = explainFailure(useMessages(), failure);
  return (
    <Notice tone="info" role="status" title={lookOnly}>
      <p>{sentence}</p>
    </Notice>
  );
}

interface Props {
  readonly reading: { readonly state: 'loading' | 'missing' } | { readonly state: 'failed'; readonly failure: Failure };
  readonly loading: string;
  readonly missing: Explained;
  /** Said to somebody who may not read it. */
  readonly notAllowed: string;
  readonly onRetry: () => void;
}

/** What could not be read (yet); who may not read it learns who may. */
export function Unreadable({ reading, loading, missing, notAllowed, onRetry }: Props) {
  const messages = useMessages();
  if (reading.state === 'failed' && reading.failure.status === 403) {
    const next = serviceAnswer(messages, reading.failure);
    return <Explanation explained={{ sentence: notAllowed, ...(next === undefined ? {} : { next }) }} />;
  }
  return <Unread reading={reading} loading={loading} missing={missing} onRetry={onRetry} />;
}

/** A failure in words; what to do next is left out where it speaks of another view. */
export function explainHere(messages: Messages, failure: Failure): Explained {
  const explained = explainFailure(messages, failure);
  return failure.problem === undefined ? explained : { sentence: explained.sentence };
}

interface WarningsProps {
  readonly kind: 'site' | 'organization';
  readonly warnings: readonly AccessWarning[];
}

/** What a person should know before they save; said as soon as it is so. */
export function Warnings({ kind, warnings }: WarningsProps) {
  const messages = useMessages('access');
  const sentences = [...new Set(warnings.map((warning) => sentenceOf(messages, kind, warning)))];
  return (
    <div role="status" className="rp-warnings">
      {sentences.length > 0 && (
        <Notice tone="warning" icon={Alert} title={messages.warnings.title}>
          <ul className="rp-plain-list">
            {sentences.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </Notice>
      )}
    </div>
  );
}

function sentenceOf({ warnings, roleOf, roles }: MessagesOf<'access'>, kind: WarningsProps['kind'], warning: AccessWarning): string {
  switch (warning.kind) {
    case 'everyone':
      return warnings.everyone({ role: roleOf[warning.role], may: roles[warning.role].may, through: warning.through });
    case 'domain':
      return warnings.domain({
        domain: warning.domain,
        role: roleOf[warning.role],
        may: roles[warning.role].may,
        through: warning.through,
      });
    case 'no-administrator':
      return warnings['no-administrator'][kind];
    case 'account-removed':
    case 'account-missing':
      return warnings[warning.kind]({ account: warning.account });
    case 'other-environment':
      return warnings['other-environment']({
        account: warning.account,
        environment: warning.environment,
        own: warning.own,
        belongsTo: warning.belongsTo,
      });
    case 'unknown-group':
    case 'group-removed':
      return warnings[warning.kind]({ entry: warning.entry });
    case 'yourself':
    case 'open':
      return warnings[warning.kind];
    default:
      return warning satisfies never;
  }
}
