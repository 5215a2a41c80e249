import Alert from '@spectrum-icons/workflow/Alert';
import type { Drift } from '#extension/setup/findings.ts';
import { useWords } from '../use-words.ts';

/** What the authoring system and the service say differently. */
export function DriftNotice({ drift }: { readonly drift: readonly Drift[] }) {
  const words = useWords().drift;
  return (
    <div className="rp-notice rp-notice-warning" role="note">
      <Alert size="S" UNSAFE_className="rp-notice-icon" />
      <div className="rp-notice-body">
        <p className="rp-notice-title">{words.title}</p>
        <ul className="rp-plain-list">
          {drift.map((row) => (
            <li key={row.field}>{words.line(words.fields[row.field], row.authoring || words.empty, row.service || words.empty)}</li>
          ))}
        </ul>
        <p className="rp-next">{words.next}</p>
      </div>
    </div>
  );
}
