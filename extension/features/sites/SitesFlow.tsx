import type { ServiceInfo } from '@repoless/contract/service.ts';
import type { SiteListEntry } from '@repoless/contract/site.ts';
import { type ApplyOutcome, rowsLeft, type ShownSteps } from '@repoless/core/sites/apply-rows.ts';
import { proposeBase, proposeRows } from '@repoless/core/sites/propose-rows.ts';
import type { Batch, SiteRow } from '@repoless/core/sites/rows.ts';
import type { TreeContext, TreeNode } from '@repoless/core/sites/tree.ts';
import { settledRows, type AppliedRow, type UndoneRow } from '@repoless/core/sites/undo-rows.ts';
import { type ComponentProps, type ReactNode, useMemo, useState } from 'react';
import { Card } from '../../ui/Card.tsx';
import { Notice, Status } from '../../ui/Notice.tsx';
import type { OpenedEnvironment } from '../../ui/organization-contexts.ts';
import type { StoredRun, StoredRuns } from '../rows-run/stored-runs.ts';
import { useMessages } from '../../ui/use-messages.ts';
import { ContentTree } from '../content-tree/ContentTree.tsx';
import { type Tree, useTree } from '../content-tree/use-tree.ts';
import { RunView } from '../rows-run/RunView.tsx';
import { UndoRun, UnfinishedRuns } from '../rows-run/UndoRun.tsx';
import { nextActions, resultsOf, useRowsRun } from '../rows-run/rows-run.ts';
import { type Proposed, ReviewStep } from './ReviewStep.tsx';
import { TextButton } from '../../ui/TextButton.tsx';
import { type StoredStates, useStoredStates } from '../../ui/use-stored-checks.ts';

interface Props {
  readonly environment: OpenedEnvironment;
  readonly organization: string;
  readonly info: ServiceInfo;
  readonly siteName: string | undefined;
  readonly sites: readonly SiteListEntry[] | undefined;
  readonly tree: Tree;
  readonly runs: StoredRuns;
  readonly service: string;
  readonly mode: 'framed' | 'stand-alone';
  readonly onReload: () => Promise<readonly SiteListEntry[] | undefined>;
  /** Called for a stored run of another environment, whose tree must be opened. */
  readonly onOtherEnvironment: (run: StoredRun) => void;
  /** Called while a run is in progress, when the place must not be left. */
  readonly onBusy: (busy: boolean) => void;
  /** Edited rows that are not set up, by author and ID: a new review reuses them. */
  readonly drafts: Map<string, SiteRow>;
  /** Pages that were selected elsewhere: starts with the review of their sites. */
  readonly started?: readonly TreeNode[] | undefined;
  /** Returns to where they were selected. */
  readonly onReturn?: () => void;
  readonly onEnded?: (() => void) | undefined;
  readonly children: ReactNode;
}

type Step =
  | { readonly at: 'tree'; readonly isBack?: true }
  | { readonly at: 'review'; readonly proposed: Proposed }
  | { readonly at: 'run'; readonly run: StoredRun };

export function SitesFlow(props: Props) {
  const { environment, organization, siteName, sites, tree, runs, onReload, onBusy, drafts, started, onReturn, onEnded, children } = props;
  const messages = useMessages('sites');
  const reviewOf = (nodes: readonly TreeNode[]): Step => {
    if (sites === undefined) return { at: 'tree' };
    const { technicalAccount, suffix } = environment;
    const rows = proposeRows(nodes, { organization, sites, technicalAccount, ...(suffix === undefined ? {} : { nameSuffix: suffix }) });
    const inherited = nodes.find(({ cloudConfiguration }) => cloudConfiguration.source.kind === 'inherited')?.cloudConfiguration.value;
    const isRepair = nodes.every(({ site }) => site !== undefined);
    // A repair preserves the code and the people of each site, and uses the base only for new cloud configurations.
    const base = proposeBase(nodes, sites, siteName) ?? nodes[0]?.site?.name;
    const more = { drafts: draftsOf(drafts, environment.author), ...(isRepair ? { isRepair } : {}) };
    return { at: 'review', proposed: { rows, base, inherited, ...more } };
  };
  const [step, setStep] = useState<Step>(() => (started === undefined ? { at: 'tree' } : reviewOf(started)));
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const readStoredRuns = () => runs.all().map((run) => ({ run, applied: runs.applied(run) }));
  const [storedRuns, setStoredRuns] = useState(readStoredRuns);
  const runner = useRowsRun();
  /** Progress of the checks after a run: the stored findings are older than it. */
  const [checking, setChecking] = useState<{ readonly done: number; readonly total: number }>();
  /** Rows of the run in view that were undone, by ID. */
  const [undoneRows, setUndoneRows] = useState<ReadonlySet<string>>(new Set());
  const isFromList = started !== undefined && onReturn !== undefined;
  const back = isFromList ? messages.review.backToList : messages.review.back;
  const goBack = (): void => {
    runner.leave();
    if (isFromList) return onReturn();
    setStoredRuns(readStoredRuns());
    setStep({ at: 'tree', isBack: true });
  };
  const leaveReview = (edited: ReadonlyMap<string, SiteRow>): void => {
    for (const [id, row] of edited) drafts.set(draftKey(environment.author, id), row);
    goBack();
  };
  const settleUndone = (run: StoredRun, undone: readonly UndoneRow[]): void => {
    runs.settle(run, settledRows(undone));
    void Promise.all([onReload(), tree.read(levelsOf(tree, rowsOf(undone)))]);
  };

  /** `others` failed earlier and are not retried until they are corrected. */
  const settle = async (run: StoredRun, { results }: ApplyOutcome, others: readonly SiteRow[] = []): Promise<void> => {
    const left = [...rowsLeft(results), ...others];
    runs.leave(run, left);
    const done = new Set(results.filter(({ status }) => status.state === 'done').map(({ row }) => row.id));
    for (const id of done) drafts.delete(draftKey(run.author, id));
    runs.done(run.author, done);
    setChosen(new Set());
    onEnded?.();
    await Promise.all([onReload(), tree.read(levelsOf(tree, run.rows))]);
    onBusy(false);
    const created = run.rows
      .filter(({ id }) => done.has(id))
      .map(({ contentRoot, siteName: name }) => ({ page: contentRoot, siteName: name }));
    if (created.length === 0) return;
    setChecking({ done: 0, total: created.length });
    await tree.checks.check(created, new AbortController().signal, (checked) => setChecking({ done: checked, total: created.length }));
    setChecking(undefined);
  };

  const startRun = async (run: StoredRun, batch: Batch, shown: ShownSteps): Promise<void> => {
    runs.store(run);
    onBusy(true);
    setUndoneRows(new Set());
    setStep({ at: 'run', run });
    // A problem of a repair shows on one site before it is applied to all.
    const options = { onSteps: runs.recorder(run), first: run.isRepair === true ? 1 : 0, shown, ...(sites === undefined ? {} : { sites }) };
    await settle(run, await runner.start(environment.ports, batch, run.rows, options));
  };

  const { run: latest } = runner;
  const endedRun = step.at === 'run' ? step.run : undefined;
  /** Rows that were done before the run was continued are known only from what is stored. */
  const written = useMemo<readonly AppliedRow[]>(() => {
    if (endedRun === undefined || latest.state !== 'ended') return [];
    const stored = runs.applied(endedRun);
    const ids = new Set(stored.map(({ row }) => row.id));
    return [...stored, ...resultsOf(latest).filter(({ row }) => !ids.has(row.id))];
  }, [endedRun, latest, runs]);

  switch (step.at) {
    case 'tree':
      return (
        <>
          <UnfinishedRuns
            runs={storedRuns}
            environment={environment}
            organization={organization}
            onLeave={(run, what) => {
              if (what === 'rows') runs.leave(run, []);
              else runs.settle(run, rowsOf(runs.applied(run)));
              setStoredRuns(readStoredRuns());
            }}
            onReview={(run) =>
              setStep({ at: 'review', proposed: { ...run, inherited: run.inherited, drafts: draftsOf(drafts, run.author) } })
            }
            onOtherEnvironment={props.onOtherEnvironment}
            onBusy={onBusy}
            onUndone={settleUndone}
          />
          <Card id="rp-tree" title={messages.tree.title} focusOn={step.at === 'tree' && step.isBack === true ? step : undefined}>
            <div className="rp-tree-head">
              <p className="rp-quiet">{messages.tree.text}</p>
              {children}
            </div>
            <ContentTree
              tree={tree}
              page={environment.page}
              chosen={chosen}
              onChoose={setChosen}
              onReview={(nodes) => setStep(reviewOf(nodes))}
            />
          </Card>
        </>
      );
    case 'review':
      return (
        <ReviewStep
          environment={environment}
          organization={organization}
          info={props.info}
          sites={sites ?? []}
          proposed={step.proposed}
          back={back}
          onBack={leaveReview}
          onApply={(batch, rows, base, shown) => {
            const { author, page, environments } = environment;
            const { inherited, isRepair, started = environment.ports.now().toISOString() } = step.proposed;
            const more = { ...(inherited === undefined ? {} : { inherited }), ...(isRepair === undefined ? {} : { isRepair }) };
            void startRun({ base, author, page, environments, started, rows, ...more }, batch, shown);
          }}
        />
      );
    case 'run': {
      const { run } = runner;
      if (run.state === 'idle') return null;
      const isRepair = step.run.isRepair === true;
      return (
        <Card id="rp-rows-run" title={(isRepair ? messages.review.repair : messages.review).apply({ count: run.rows.length })}>
          <RunView
            run={run}
            undone={undoneRows}
            service={props.service}
            mode={props.mode}
            onStop={runner.stop}
            onRetry={(rows) => {
              onBusy(true);
              setUndoneRows(new Set([...undoneRows].filter((id) => rows.every((row) => row.id !== id))));
              const retried = { ...step.run, rows };
              const others = nextActions(run).left.filter((row) => !rows.includes(row));
              void runner
                .retry(environment.ports, run.batch, rows, { onSteps: runs.recorder(retried) })
                .then((outcome) => settle(retried, outcome, others));
            }}
            onCorrect={(rows) => {
              runner.leave();
              setStep({ at: 'review', proposed: { ...step.run, inherited: step.run.inherited, rows } });
            }}
            messages={{ toTree: back, ...(isRepair ? messages.applyRows.repair : {}) }}
            onTree={goBack}
          >
            <Status as="span">
              {checking === undefined ? '' : messages.tree.check.running({ done: checking.done, total: checking.total })}
            </Status>
          </RunView>
          {run.state === 'ended' && (
            <UndoRun
              ports={environment.ports}
              batch={run.batch}
              results={written}
              onBusy={onBusy}
              onUndone={(undone) => {
                const ids = undone.flatMap(({ row, state }) => (state === 'undone' ? [row.id] : []));
                setUndoneRows(new Set([...undoneRows, ...ids]));
                settleUndone({ ...step.run, rows: nextActions(run).left }, undone);
              }}
            />
          )}
        </Card>
      );
    }
    default:
      return step satisfies never;
  }
}

function rowsOf(applied: readonly Pick<AppliedRow, 'row'>[]): SiteRow[] {
  return applied.map(({ row }) => row);
}

/** The levels of the tree that contain the rows, and those below them that were read. */
function levelsOf({ tree: { levels } }: Tree, rows: readonly SiteRow[]): string[] {
  const above = rows.map(({ contentRoot }) => contentRoot.slice(0, contentRoot.lastIndexOf('/')));
  return [...new Set([...above, ...rows.map(({ contentRoot }) => contentRoot)])].filter((path) => levels.has(path));
}

function draftKey(author: string, id: string): string {
  return `${author} ${id}`;
}

function draftsOf(drafts: ReadonlyMap<string, SiteRow>, author: string): ReadonlyMap<string, SiteRow> {
  const prefix = draftKey(author, '');
  return new Map([...drafts].flatMap(([key, row]) => (key.startsWith(prefix) ? [[key.slice(prefix.length), row] as const] : [])));
}

interface OtherEnvironmentProps extends Omit<ComponentProps<typeof SitesFlow>, 'tree' | 'children'> {
  readonly context: TreeContext;
  readonly stored: StoredStates;
  readonly onBack: () => void;
}

/** The flow for pages of another authoring environment, such as stage or production. */
export function OtherEnvironment({ context, onBack, stored, ...props }: OtherEnvironmentProps) {
  const { production } = useMessages('sites');
  const { environment, sites } = props;
  const tree = useTree(environment.ports, context, environment.page, useStoredStates(stored, sites, environment.author));
  return (
    <SitesFlow {...props} tree={tree}>
      <Notice
        tone="info"
        title={production.now({ author: environment.author })}
        actions={<TextButton onPress={onBack} text={production.back} />}
      >
        <p>{environment.technicalAccount === '' ? production.noAccount : production.account({ account: environment.technicalAccount })}</p>
      </Notice>
    </SitesFlow>
  );
}
