import { createPatch } from 'rfc6902';
import { hidePair } from '@repoless/core/history/cdn-credentials.ts';
import type { StoredDocument } from '@repoless/core/history/history-port.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Fold } from '../../ui/Fold.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import { printJson } from '../../ui/print-json.ts';

interface Props {
  readonly before: StoredDocument | null | undefined;
  readonly after: StoredDocument | null;
}

/** The difference as a JSON patch, and the whole document without credentials: to be read, selected and copied. */
export function JsonTexts({ before, after }: Props) {
  const history = useMessages('history');
  const shown = hidePair(before ?? {}, after ?? {});
  const then = before === null || before === undefined ? null : shown.before;
  const now = after === null ? null : shown.after;
  return (
    <div className="rp-stack-tight">
      <JsonText title={history.patch} copy={history.copyPatch} value={createPatch(then, now)} />
      {now !== null && <JsonText title={history.data} copy={history.copyData} value={now} />}
    </div>
  );
}

function JsonText({ title, copy, value }: { readonly title: string; readonly copy: string; readonly value: unknown }) {
  const text = printJson(value);
  return (
    <Fold title={title}>
      <div>
        <CopyButton text={text} label={copy} />
      </div>
      <pre className="rp-pre" tabIndex={0} role="region" aria-label={title}>
        {text}
      </pre>
    </Fold>
  );
}
