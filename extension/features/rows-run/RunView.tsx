import type { MessagesOf } from '@repoless/core/messages/language.ts';
import { callsScript, resultsCsv } from '@repoless/core/sites/row-results.ts';
import type { SiteRow } from '@repoless/core/sites/rows.ts';
import CheckmarkCircle from '@spectrum-icons/workflow/CheckmarkCircle';
import type { ReactNode } from 'react';
import { TextButton } from '../../ui/TextButton.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Fold } from '../../ui/Card.tsx';
import { useFocusOnArrival } from '../../ui/focus.ts';
import { useMessages } from '../../ui/use-messages.ts';
import { ResultTable } from './PagedTable.tsx';
import { RunProgress } from './RunProgress.tsx';
import { countsOf, nextActions, resultsOf, type RowsRun } from './rows-run.ts';

type Started = Exclude<RowsRun, { state: 'idle' }>;

interface Props {
  readonly run: Started;
  /** Rows that were undone after the run, by ID: it no longer says that they are done. */
  readonly undone?: ReadonlySet<string>;
  readonly service: string;
  readonly mode: 'framed' | 'stand-alone';
  readonly onStop: () => void;
  readonly onRetry: (rows: readonly SiteRow[]) => void;
  readonly onCorrect: (rows: readonly SiteRow[]) => void;
  readonly onTree: () => void;
  /** Messages for runs other than setup. */
  readonly messages?: Partial<RunMessages>;
  readonly children?: ReactNode;
}

// A setup run never leaves sites in the wrong environment, and has no messages for that.
type RunMessages = Pick<MessagesOf<'sites'>['applyRows'], 'progress' | 'toTree' | 'partway'> &
  Pick<MessagesOf<'sites'>['move']['run'], 'ended'>;

const NONE: ReadonlySet<string> = new Set();

export function RunView({ run, undone = NONE, service, mode, onStop, onRetry, onCorrect, onTree, messages: own, children }: Props) {
  return (
    <>
      {run.state === 'running' ? (
        <Running run={run} messages={own} onStop={onStop} />
      ) : (
        <Ended run={run} undone={undone} messages={own} onRetry={onRetry} onCorrect={onCorrect} onTree={onTree}>
          {children}
        </Ended>
      )}
      <ResultTable run={run} undone={undone} partway={own?.partway} />
      {run.state === 'ended' && <ResultTexts run={run} service={service} mode={mode} />}
    </>
  );
}

interface RunningProps extends Pick<Props, 'onStop'> {
  readonly run: Extract<Started, { state: 'running' }>;
  readonly messages: Partial<RunMessages> | undefined;
}

function Running({ run, messages: own, onStop }: RunningProps) {
  const { applyRows } = useMessages('sites');
  const messages = { ...applyRows, ...own };
  const { done, failed } = countsOf(run);
  const total = run.rows.length;
  const { secondsLeft, pausedSeconds } = run.progress ?? {};
  const sentence = run.stopping
    ? messages.stopping
    : pausedSeconds !== undefined
      ? messages.paused({ seconds: pausedSeconds })
      : secondsLeft !== undefined
        ? timeLeft(messages.timeLeft, secondsLeft)
        : messages.preparing;
  return (
    <RunProgress
      label={messages.progress}
      done={done + failed}
      of={total}
      count={messages.count({ done, failed, total })}
      text={sentence}
      stop={messages.stop}
      isStopping={run.stopping}
      run={run.batch}
      onStop={onStop}
    />
  );
}

function timeLeft(messages: MessagesOf<'sites'>['applyRows']['timeLeft'], seconds: number): string {
  return seconds < 60 ? messages.seconds({ seconds: Math.max(1, seconds) }) : messages.minutes({ minutes: Math.ceil(seconds / 60) });
}

interface EndedProps extends Pick<Props, 'onRetry' | 'onCorrect' | 'onTree' | 'children'> {
  readonly undone: ReadonlySet<string>;
  readonly run: Extract<Started, { state: 'ended' }>;
  readonly messages: Partial<RunMessages> | undefined;
}

function Ended({ run, undone, messages: own, onRetry, onCorrect, onTree, children }: EndedProps) {
  const { applyRows } = useMessages('sites');
  const messages: Omit<typeof applyRows, 'ended'> & RunMessages = { ...applyRows, ...own };
  const { done, failed, unchanged, left, astray } = countsOf(run);
  const { left: rest, retry: retried, correct } = nextActions(run);
  const focus = useFocusOnArrival<HTMLDivElement>(run);
  const complete = run.outcome === 'complete' && left === 0;
  const onlyFailed = failed === left;
  const counts = { done, left: left - astray, astray };
  const actions = (
    <>
      {retried.length > 0 && (
        <TextButton
          variant="accent"
          onPress={() => onRetry(retried)}
          text={
            run.outcome === 'signed-out'
              ? messages.signInAndGoOn({ count: retried.length })
              : onlyFailed
                ? messages.retry({ count: retried.length })
                : messages.goOn({ count: retried.length })
          }
        />
      )}
      {correct.length > 0 && (
        <TextButton
          variant={retried.length > 0 ? 'secondary' : 'accent'}
          onPress={() => onCorrect(rest)}
          text={messages.correct({ count: rest.length })}
        />
      )}
      <TextButton variant={complete ? 'accent' : 'secondary'} onPress={onTree} text={messages.toTree} />
      {children}
    </>
  );
  // The undo says what became of the run.
  if (undone.size > 0) return <div className="rp-actions">{actions}</div>;
  return (
    <Notice
      tone={complete ? 'positive' : onlyFailed ? 'negative' : 'info'}
      icon={complete ? CheckmarkCircle : undefined}
      role={complete ? 'status' : 'alert'}
      title={
        complete
          ? messages.ended.complete({ count: done, unchanged })
          : run.outcome === 'unreachable'
            ? messages.ended.unreachable(counts)
            : run.outcome === 'signed-out'
              ? messages.ended.signedOut(counts)
              : run.outcome === 'first-failed'
                ? messages.firstFailed({ left: left - failed })
                : onlyFailed
                  ? messages.ended.failed({ failed, done, astray })
                  : messages.ended.stopped(counts)
      }
      focus={focus}
      actions={actions}
    />
  );
}

interface ResultTextsProps {
  readonly run: Extract<RowsRun, { state: 'ended' }>;
  readonly service: string;
  /** A sandboxed frame may start no downloads: there the text can be copied. */
  readonly mode: 'framed' | 'stand-alone';
}

function ResultTexts({ run, service, mode }: ResultTextsProps) {
  const { applyRows: messages } = useMessages('sites');
  const results = resultsOf(run);
  const csv = resultsCsv(run.batch, results);
  const isAnyCreated = results.some(({ calls }) => calls.length > 0);
  return (
    <div className="rp-stack-tight">
      <Fold title={messages.csv}>
        <TextToKeep label={messages.csv} text={csv} mode={mode} download={messages.downloadCsv} file="sites.csv" type="text/csv" />
      </Fold>
      <Fold title={messages.script}>
        <p className="rp-quiet">{isAnyCreated ? messages.scriptText : messages.noCalls}</p>
        {isAnyCreated && (
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
  readonly mode: ResultTextsProps['mode'];
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
