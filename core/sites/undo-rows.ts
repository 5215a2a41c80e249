import type { ConsequenceOfSites } from '@repoless/contract/consequence.ts';
import { sameValue } from '@repoless/contract/json.ts';
import { Site } from '@repoless/contract/site.ts';
import { groupConsequences } from '../access/consequences.ts';
import { undoChange } from '../history/undo-change.ts';
import { withoutServerFields } from '../plan/desired-site.ts';
import { AT_ONCE, createPace, eachBounded, neverAborting, type Pace, sendConfirmed } from '../run/retry.ts';
import type { Call, Failure } from '../situation/call.ts';
import { removeNode, withoutRecord } from '../situation/edge-configuration.ts';
import type { SetupPorts } from '../situation/ports.ts';
import { isUnchangedPage } from '../situation/record.ts';
import { putSite, removeSite, UNDO_NAME } from '../situation/site-calls.ts';
import { latestAuthor } from './prepare-row.ts';
import { authorOfRow, targetOfRow } from './row-site.ts';
import type { Batch, PlannedStep, RowResult, SiteRow } from './rows.ts';

/** The result of a run's undo for a row. */
export type UndoneRow = { readonly row: SiteRow } &
  /** `stays`: the configuration page that the run created and someone has changed since. */
  (
    | { readonly state: 'undone'; readonly stays?: string }
    | { readonly state: 'stopped' }
    /** Someone changed what the run had written; `by`: the author of the site's latest version. */
    | { readonly state: 'kept'; readonly part: 'site' | 'page'; readonly by?: string }
    | { readonly state: 'failed'; readonly failure: Failure }
  );

/** A row with its steps that were taken and not reverted, in their order. */
export type TakenRow = Pick<RowResult, 'row' | 'taken'>;
/** The common data of a run's rows that its undo needs. */
export type UndoneBatch = Pick<Batch, 'organization' | 'author'>;

export function undoableRows(results: readonly TakenRow[]): TakenRow[] {
  return results.filter(({ taken = [] }) => taken.some(({ call }) => call !== undefined));
}

/** Rows that are undone, or that the undo must leave alone. */
export function settledRows(undone: readonly UndoneRow[]): SiteRow[] {
  return undone.flatMap(({ row, state }) => (state === 'undone' || state === 'kept' ? [row] : []));
}

export interface UndoRowsOptions {
  readonly signal: AbortSignal;
  readonly onRow?: (undone: UndoneRow) => void;
}

/**
 * Reverts what a run wrote for its rows, the switch of each first and its site last. What someone changed since stays, and is reported. Nothing
 * throws.
 */
export async function undoRows(
  ports: SetupPorts,
  batch: UndoneBatch,
  results: readonly TakenRow[],
  { signal, onRow }: UndoRowsOptions,
): Promise<readonly UndoneRow[]> {
  const pace = createPace(ports, signal);
  return eachBounded(undoableRows(results), AT_ONCE, async ({ row, taken = [] }): Promise<UndoneRow> => {
    const undone = signal.aborted ? ({ row, state: 'stopped' } as const) : { row, ...(await undoRow({ ports, batch, pace }, row, taken)) };
    onRow?.(undone);
    return undone;
  });
}

/** The effects of a run's undo on people and visitors, from dry runs of its writes. Writes nothing. */
export async function undoConsequences(
  ports: SetupPorts,
  batch: UndoneBatch,
  results: readonly TakenRow[],
  { signal, onRow }: { readonly signal: AbortSignal; readonly onRow?: () => void },
): Promise<ConsequenceOfSites[]> {
  const pace = createPace(ports, signal);
  const ofRow = async ({ row, taken = [] }: TakenRow) => {
    const step = taken.findLast((one) => one.step === 'register-site');
    const back = step === undefined || signal.aborted ? UNDONE : await wayBackOf({ ports, batch, pace }, row, step);
    if ('state' in back) return [];
    const answer = await pace.call(() => ports.service.dryRun(back));
    const told = answer.state === 'known' ? (answer.value.consequences ?? []) : [];
    const known = back.method === 'DELETE' && told.length === 0 ? [{ what: { kind: 'stops' } as const }] : told;
    return known.map(({ what }) => ({ what, sites: [row.siteName] }));
  };
  const found = await eachBounded(undoableRows(results), AT_ONCE, async (result) => {
    const one = await ofRow(result);
    onRow?.();
    return one;
  });
  return groupConsequences(found.flat());
}

interface Undoing {
  readonly ports: SetupPorts;
  readonly batch: UndoneBatch;
  readonly pace: Pace;
}

type RowEnd = UndoneRow extends infer One ? (One extends UndoneRow ? Omit<One, 'row'> : never) : never;

const UNDONE: RowEnd = { state: 'undone' };

async function undoRow(undoing: Undoing, row: SiteRow, taken: readonly PlannedStep[]): Promise<RowEnd> {
  let whole = UNDONE;
  for (const step of taken.toReversed()) {
    const end = await undoStep(undoing, row, step);
    if (end.state !== 'undone') return end;
    whole = { ...whole, ...end };
  }
  return whole;
}

async function undoStep(undoing: Undoing, row: SiteRow, step: PlannedStep): Promise<RowEnd> {
  if (step.step === 'register-site') return undoSite(undoing, row, step);
  return step.step === 'configuration-page' ? undoPage(undoing, row) : undoAuthoring(undoing, step);
}

/** A page that the run created is removed as in the undo of one setup: not if someone has changed it since. */
async function undoPage({ ports, batch, pace }: Undoing, row: SiteRow): Promise<RowEnd> {
  const path = row.configurationPage;
  if (path === undefined) return UNDONE;
  const page = await pace.call(() => ports.authoring.createdPage(path));
  if (page.state === 'failed') return { state: 'failed', failure: page.failure };
  if (page.state === 'missing') return UNDONE;
  return isUnchangedPage({ page })
    ? revertBy({ ports, pace }, removeNode(`${authorOfRow(batch, row)}${path}`))
    : { state: 'undone', stays: path };
}

/** Only reverts what is still as the run wrote it. */
async function undoAuthoring({ ports, pace }: Undoing, { state, call, revert }: PlannedStep): Promise<RowEnd> {
  if (call === undefined || (revert === undefined && state.kind !== 'create')) return UNDONE;
  const back = revert === undefined ? removeNode(call.address) : withoutRecord(call, revert);
  const held = await pace.call(() => ports.authoring.holds(call));
  if (held.state === 'failed') return { state: 'failed', failure: held.failure };
  if (held.state === 'missing') return UNDONE;
  if (!held.value) {
    // An earlier attempt may have reverted it already.
    const isBack = await pace.call(() => ports.authoring.holds(back));
    return isBack.state === 'known' && isBack.value ? UNDONE : { state: 'kept', part: 'page' };
  }
  return revertBy({ ports, pace }, back);
}

async function revertBy({ ports, pace }: Omit<Undoing, 'batch'>, back: Call): Promise<RowEnd> {
  const answer = await pace.call(() => sendConfirmed({ ports, signal: neverAborting() }, back), undefined, 'to-the-end');
  return answer.state === 'failed' ? { state: 'failed', failure: answer.failure } : UNDONE;
}

/** How often a site is read again because it was written between reading and writing. */
const ROUNDS = 3;

async function undoSite(undoing: Undoing, row: SiteRow, step: PlannedStep): Promise<RowEnd> {
  const { ports, pace } = undoing;
  for (let round = 1; ; round++) {
    const back = await wayBackOf(undoing, row, step);
    if ('state' in back) return back;
    const answer = await pace.call(() => ports.service.send(back), undefined, 'to-the-end');
    if (answer.state !== 'failed') return UNDONE;
    if (answer.failure.problem?.code !== 'PRECONDITION_FAILED' || round === ROUNDS) return { state: 'failed', failure: answer.failure };
  }
}

/**
 * The call that reverts what was written: a site that the run created is removed, another one loses only what the run changed. Otherwise why
 * there is none: what someone changed since stays.
 */
async function wayBackOf({ ports: { service }, batch, pace }: Undoing, row: SiteRow, { state, call }: PlannedStep): Promise<RowEnd | Call> {
  const { organization } = batch;
  const written = call?.body?.type === 'json' ? call.body.value : undefined;
  const before = state.kind === 'change' ? state.before : undefined;
  const now = await pace.call(() => service.configuration(organization, row.siteName));
  if (now.state === 'failed') return { state: 'failed', failure: now.failure };
  if (now.state === 'missing') return UNDONE;
  const { config, etag } = now.value;
  const present = withoutContentId(withoutServerFields(config));
  const undone = undoChange(withoutContentId(before ?? {}), withoutContentId(written), present);
  const isOthers = before === undefined ? !sameValue(present, withoutContentId(written)) : undone.state === 'overlaps';
  if (isOthers) return { state: 'kept', part: 'site', ...(await latestAuthor(pace, () => service.versions(organization, row.siteName))) };
  const site = targetOfRow(batch, row);
  if (before === undefined) return removeSite(site, etag);
  return undone.state === 'clean' ? putSite(site, undone.document, UNDO_NAME, { ifMatch: etag }) : UNDONE;
}

/** The service adds the identifier of the content to what is sent. */
function withoutContentId(document: unknown): Record<string, unknown> {
  const site: Readonly<Record<string, unknown>> = Object(document);
  const parsed = Site.shape.content.safeParse(site['content']);
  if (!parsed.success || parsed.data === undefined) return { ...site };
  const { contentBusId: _id, ...content } = parsed.data;
  return { ...site, content };
}
