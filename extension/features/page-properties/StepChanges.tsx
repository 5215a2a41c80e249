import { useMessages } from '../../ui/use-messages.ts';
import { changesOf } from './changes.ts';
import type { ChangeState } from './changes.ts';

/** What a step changes, place by place: what is there now and what will be. */
export function StepChanges({ change }: { readonly change: ChangeState }) {
  const { plan } = useMessages();
  return (
    <ul className="rp-plain-list rp-changes">
      {changesOf(change).map(({ where, before, after }) => (
        <li key={`${where} ${after ?? ''}`}>
          <code className="rp-quiet">{where === '' ? '/' : where}</code>
          <pre className="rp-before">
            <span className="rp-change-name">{plan.before}</span>
            {before ?? plan.nothing}
          </pre>
          <pre className="rp-after">
            <span className="rp-change-name">{plan.after}</span>
            {after ?? plan.nothing}
          </pre>
        </li>
      ))}
    </ul>
  );
}
