import { Radio, RadioGroup } from '@adobe/react-spectrum/RadioGroup';
import type { SiteListEntry } from '@repoless/contract/site.ts';
import { groupConsequences } from '@repoless/core/access/consequences.ts';
import type { SetupPorts } from '@repoless/core/situation/ports.ts';
import { type PlannedRow, planRows, type ShownSteps, shownSteps } from '@repoless/core/sites/apply-rows.ts';
import { type EditedCell, editRow } from '@repoless/core/sites/propose-rows.ts';
import { checkRows } from '@repoless/core/sites/row-problems.ts';
import type { Batch, CellProblem, PlannedStep, SiteRow } from '@repoless/core/sites/rows.ts';
import { useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { useStopper } from '../../ui/use-reading.ts';
import { TextButton } from '../../ui/TextButton.tsx';
import { Consequences, useConfirmation } from '../../ui/Consequences.tsx';
import { Announcement, Explanation, Status } from '../../ui/Notice.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import { type ChangingRow, openSteps, RowDifferences } from '../rows-run/planned-rows.tsx';
import { useLeavingOut } from '../rows-run/rows-run.ts';
import { ReviewTable } from './ReviewTable.tsx';

interface Props {
  readonly ports: SetupPorts;
  readonly batch: Batch;
  readonly sites: readonly SiteListEntry[];
  readonly rows: readonly SiteRow[];
  readonly onRows: (change: (rows: readonly SiteRow[]) => readonly SiteRow[]) => void;
  /** All sites already exist. */
  readonly isRepair: boolean;
  readonly back: string;
  readonly onBack: () => void;
  readonly onApply: (rows: readonly SiteRow[], shown: ShownSteps) => void;
}

const NONE: readonly CellProblem[] = [];

/**
 * The rows with their problems, found locally, by the service and by the authoring system. The button that applies them is above:
 * a long list would hide it.
 */
export function Review({ ports, batch, sites, rows, onRows, isRepair, back, onBack, onApply }: Props) {
  const messages = useMessages('sites').review;
  const [shown, setShown] = useState<'all' | 'wrong'>('all');
  /** The dry run before an apply is in progress: nothing else can be entered until it ends. */
  const [isApplying, setApplying] = useState(false);
  const testRun = useTestRun(ports, sites);
  const { run, answer, answers, progress } = testRun;
  const settled = useDeferredValue(rows);
  const own = useMemo(() => checkRows(batch, settled), [batch, settled]);
  const problemsOf = (row: SiteRow): readonly CellProblem[] => {
    const found = own.get(row.id) ?? NONE;
    return found.length > 0 ? found : (answer(batch, row)?.problems ?? NONE);
  };
  /** Not tested yet, or with problems: the cause may no longer exist, for example a lock. */
  const isOpen = (row: SiteRow): boolean => {
    const found = answer(batch, row);
    return (own.get(row.id) ?? NONE).length === 0 && (found === undefined || found.problems.length > 0);
  };
  const open = rows.filter(isOpen);
  const untried = rows.map((row) => answer(batch, row)?.untried).find((failure) => failure !== undefined);
  const wrong = rows.filter((row) => problemsOf(row).length > 0);
  const opening = useRef(rows);
  useEffect(() => {
    const found = checkRows(batch, opening.current);
    void run(
      batch,
      opening.current.filter(({ id }) => found.get(id)?.length === 0),
    );
  }, [run, batch]);
  const edit = useCallback(
    (row: SiteRow, cell: EditedCell, text: string) =>
      onRows((now) => now.map((one) => (one.id === row.id ? editRow(one, cell, text) : one))),
    [onRows],
  );
  const [announcement, leave] = useLeavingOut();
  const { removedOf } = messages;
  const leaveOut = useCallback(
    ({ id: left }: SiteRow, pressed: Element) => {
      leave(pressed, removedOf({ page: left }));
      onRows((now) => now.filter(({ id }) => id !== left));
    },
    [onRows, leave, removedOf],
  );
  const apply = async (): Promise<void> => {
    setApplying(true);
    const tested = open.length === 0 ? [] : await run(batch, open);
    setApplying(false);
    // The findings of the test must be reviewed first.
    if (tested?.every(isPlain) !== true) return;
    onApply(rows, shownSteps([...rows.flatMap((row) => answer(batch, row) ?? []), ...tested]));
  };
  const consequences = groupConsequences(rows.flatMap((row) => answer(batch, row)?.consequences ?? []));
  const confirmation = useConfirmation(consequences);
  const changing = useMemo<readonly ChangingRow[]>(
    () =>
      rows.flatMap((row) => {
        const tested = answers.get(row.id);
        const steps = tested?.row === row && tested.batch === batch ? changesOf(tested) : undefined;
        return steps === undefined ? [] : [{ row, steps }];
      }),
    [rows, answers, batch],
  );
  const visible = shown === 'wrong' && wrong.length > 0 ? wrong : rows;
  return (
    <>
      {wrong.length > 0 && (
        <RadioGroup
          label={messages.show}
          orientation="horizontal"
          value={shown}
          onChange={(value) => setShown(value === 'wrong' ? 'wrong' : 'all')}
        >
          <Radio value="all">{messages.showAll({ count: rows.length })}</Radio>
          <Radio value="wrong">{messages.showWrong({ count: wrong.length })}</Radio>
        </RadioGroup>
      )}
      <Status>
        {progress !== undefined
          ? messages.testing({ done: progress.done, of: progress.of })
          : wrong.length > 0
            ? messages.wrong({ count: wrong.length })
            : open.length === 0 && rows.length > 0 && untried === undefined
              ? isRepair
                ? messages.repair.fine
                : messages.dryRunResult
              : ''}
      </Status>
      {untried !== undefined && progress === undefined && <Explanation explained={messages.untried} />}
      <Consequences consequences={consequences} confirmation={confirmation} />
      <div className="rp-actions">
        <TextButton
          variant={confirmation.isNeeded ? 'negative' : 'accent'}
          isDisabled={!confirmation.isConfirmed || rows.length === 0 || wrong.length > 0 || progress !== undefined || settled !== rows}
          onPress={() => void apply()}
          text={(isRepair ? messages.repair : messages).apply({ count: rows.length })}
        />
        <TextButton isDisabled={open.length === 0 || progress !== undefined} onPress={() => void run(batch, open)} text={messages.dryRun} />
        <TextButton onPress={onBack} text={back} />
        <span className="rp-quiet">{confirmation.hint === '' && !isRepair ? messages.sure : confirmation.hint}</span>
      </div>
      {changing.length > 0 && <RowDifferences rows={changing} />}
      <Announcement>{announcement}</Announcement>
      {rows.length === 0 ? (
        <p className="rp-empty">{messages.nothing}</p>
      ) : (
        <ReviewTable
          batch={batch}
          label={isRepair ? messages.repair.label : messages.label}
          rows={visible}
          problemsOf={problemsOf}
          checkedOf={(row) => {
            const found = answer(batch, row);
            if (found !== undefined) return found.untried === undefined ? 'fine' : 'untried';
            return progress === undefined ? 'open' : 'asking';
          }}
          ports={ports}
          pathsOf={(row) => {
            const plan = answer(batch, row)?.plan;
            return plan?.kind === 'ready' ? plan.paths : undefined;
          }}
          isDisabled={isApplying}
          onEdit={edit}
          onLeaveOut={leaveOut}
        />
      )}
    </>
  );
}

interface TestedRow extends PlannedRow {
  readonly batch: Batch;
}

function changesOf({ plan }: PlannedRow): readonly PlannedStep[] | undefined {
  return plan.kind === 'ready' && plan.outcome !== 'created' ? plan.steps : undefined;
}

/** The test reported nothing that the row's cells don't show. */
function isPlain(tested: PlannedRow): boolean {
  return tested.problems.length + tested.consequences.length + openSteps(changesOf(tested) ?? []).length === 0;
}

interface TestRun {
  /** The findings for the current row; undefined if it was not tested, or was changed since. */
  answer(batch: Batch, row: SiteRow): TestedRow | undefined;
  /** The same by row ID, even for rows that were changed since. */
  readonly answers: ReadonlyMap<string, TestedRow>;
  readonly progress: { readonly done: number; readonly of: number } | undefined;
  /** Tests rows. Returns undefined if it was stopped. */
  run(batch: Batch, rows: readonly SiteRow[]): Promise<readonly PlannedRow[] | undefined>;
}

const GROUP = 24;

/** Asks the service and the authoring system whether the run could set rows up; a changed row is tested again. */
function useTestRun(ports: SetupPorts, sites: readonly SiteListEntry[]): TestRun {
  const [answers, setAnswers] = useState<ReadonlyMap<string, TestedRow>>(new Map());
  const [progress, setProgress] = useState<{ done: number; of: number }>();
  const { start } = useStopper();
  const run = useCallback(
    async (batch: Batch, rows: readonly SiteRow[]): Promise<readonly PlannedRow[] | undefined> => {
      const signal = start();
      const tested: PlannedRow[] = [];
      for (let done = 0; done < rows.length && !signal.aborted; done += GROUP) {
        setProgress({ done, of: rows.length });
        const group = rows.slice(done, done + GROUP);
        const planned = await planRows(ports, batch, group, { signal, sites });
        if (signal.aborted) return undefined;
        tested.push(...planned);
        setAnswers((now) => new Map([...now, ...planned.map((one) => [one.row.id, { ...one, batch }] as const)]));
      }
      if (signal.aborted) return undefined;
      setProgress(undefined);
      return tested;
    },
    [ports, sites, start],
  );
  return {
    answer: (batch, row) => {
      const found = answers.get(row.id);
      return found?.row === row && found.batch === batch ? found : undefined;
    },
    answers,
    progress,
    run,
  };
}
