import Alert from '@spectrum-icons/workflow/Alert';
import type { AccessWarning } from '@repoless/core/access/warnings.ts';
import type { MessagesOf } from '@repoless/core/messages/language.ts';
import { useMessages } from '../../ui/use-messages.ts';

interface Props {
  readonly kind: 'site' | 'organization';
  readonly warnings: readonly AccessWarning[];
}

/** What a person should know before they save; said as soon as it is so. */
export function Warnings({ kind, warnings }: Props) {
  const messages = useMessages('access');
  const sentences = [...new Set(warnings.map((warning) => sentenceOf(messages, kind, warning)))];
  return (
    <div role="status" className="rp-warnings">
      {sentences.length > 0 && (
        <div className="rp-notice rp-notice-warning">
          <Alert size="S" UNSAFE_className="rp-notice-icon" />
          <div className="rp-notice-body">
            <p className="rp-notice-title">{messages.warnings.title}</p>
            <ul className="rp-plain-list">
              {sentences.map((sentence) => (
                <li key={sentence}>{sentence}</li>
              ))}
            </ul>
          </div>
        </div>
      )}
    </div>
  );
}

function sentenceOf({ warnings, roleOf, roles }: MessagesOf<'access'>, kind: Props['kind'], warning: AccessWarning): string {
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
