import { callsScript, resultsCsv } from '@repoless/core/sites/row-results.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Fold } from '../../ui/Fold.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import { resultsOf } from './rows-run.ts';
import type { RowsRun } from './rows-run.ts';

interface Props {
  readonly run: Extract<RowsRun, { state: 'ended' }>;
  readonly service: string;
  /** A sandboxed frame may start no downloads: there the text is to be copied. */
  readonly mode: 'framed' | 'stand-alone';
}

/** The results as a table for a spreadsheet, and the calls that were made as a shell script. */
export function ResultTexts({ run, service, mode }: Props) {
  const { applyRows: messages } = useMessages('sites');
  const results = resultsOf(run);
  const csv = resultsCsv(run.batch, results);
  const made = results.some(({ calls }) => calls.length > 0);
  return (
    <div className="rp-stack-tight">
      <Fold title={messages.csv}>
        <TextToKeep label={messages.csv} text={csv} mode={mode} download={messages.downloadCsv} file="sites.csv" type="text/csv" />
      </Fold>
      <Fold title={messages.script}>
        <p className="rp-quiet">{made ? messages.scriptText : messages.noCalls}</p>
        {made && (
          <TextToKeep
            label={messages.script}
            text={callsScript(service, results)}
            mode={mode}
            download={messages.downloadScript}
            file="sites.sh"
            type="text/x-shellscript"
          />
        )}
      </Fold>
    </div>
  );
}

interface TextProps {
  readonly label: string;
  readonly text: string;
  readonly mode: Props['mode'];
  readonly download: string;
  readonly file: string;
  readonly type: string;
}

function TextToKeep({ label, text, mode, download, file, type }: TextProps) {
  return (
    <>
      <div className="rp-actions">
        <CopyButton text={text} label={label} />
        {mode === 'stand-alone' && (
          <a className="rp-link" download={file} href={`data:${type};charset=utf-8,${encodeURIComponent(text)}`}>
            {download}
          </a>
        )}
      </div>
      <pre className="rp-pre rp-scroll" tabIndex={0} role="region" aria-label={label}>
        {text}
      </pre>
    </>
  );
}
