import Alert from '@spectrum-icons/workflow/Alert';
import type { Drift } from '@repoless/contract/site-check.ts';
import { useMessages } from '../../ui/use-messages.ts';

/** What the authoring system and the service say differently. */
export function DriftNotice({ drift }: { readonly drift: readonly Drift[] }) {
  const messages = useMessages().drift;
  return (
    <div className="rp-notice rp-notice-warning" role="note">
      <Alert size="S" UNSAFE_className="rp-notice-icon" />
      <div className="rp-notice-body">
        <p className="rp-notice-title">{messages.title}</p>
        <ul className="rp-plain-list">
          {drift.map((row) => (
            <li key={row.field}>
              {messages.line({
                field: messages.fields[row.field],
                authoring: row.authoring || messages.empty,
                service: row.service || messages.empty,
              })}
            </li>
          ))}
        </ul>
        <p className="rp-next">{messages.next}</p>
      </div>
    </div>
  );
}
