import type { Patch } from '@repoless/contract/history.ts';
import { Badge } from '../../ui/Badge.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Fold } from '../../ui/Fold.tsx';
import { printJson } from '../../ui/print-json.ts';
import { useMessages } from '../../ui/use-messages.ts';

const TONES = { add: 'positive', replace: 'notice', remove: 'negative', other: 'neutral' } as const;

/** A difference, place by place: what is new, changed or removed there. The patch itself lies folded below. */
export function PatchList({ patch, label }: { readonly patch: Patch; readonly label: string }) {
  const { preview } = useMessages('rollouts').rollouts;
  const text = printJson(patch);
  return (
    <>
      <ul className="rp-plain-list" aria-label={label}>
        {patch.map((operation, index) => {
          const kind = operation.op === 'add' || operation.op === 'replace' || operation.op === 'remove' ? operation.op : 'other';
          const value = operation['value'];
          return (
            <li key={`${index} ${operation.path}`} className="rp-patch">
              <Badge tone={TONES[kind]} text={preview.operations[kind]} />
              <code className="rp-value">{operation.path === '' ? '/' : operation.path}</code>
              {value !== undefined && <pre className="rp-patch-value">{typeof value === 'string' ? value : printJson(value)}</pre>}
            </li>
          );
        })}
      </ul>
      <Fold title={preview.patch} of={label}>
        <div>
          <CopyButton text={text} label={preview.copyPatch} />
        </div>
        <pre className="rp-patch-value">{text}</pre>
      </Fold>
    </>
  );
}
