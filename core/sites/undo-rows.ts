import type { ConsequenceOfSites } from '@repoless/contract/consequence.ts';
import { sameValue } from '@repoless/contract/json.ts';
import { Site } from '@repoless/contract/site.ts';
import { groupConsequences } from '../access/consequences.ts';
import { undoChange } from '../history/undo-change.ts';
import { withoutServerFields } from '../plan/desired-site.ts';
import { keysOf } from '../history/json-values.ts';
import { AT_ONCE, createPace, mapConcurrently, neverAborting } from '../run/retry.ts';
import { type WithRetry, makeCall, revertCall } from '../run/take-step.ts';
import { type Call, type Failure, hasNoDryRun } from '../situation/call.ts';
import { removeNode, withoutRecord } from '../situation/edge-configuration.ts';
import type { SetupPorts } from '../situation/ports.ts';
import { isOwnPage } from '../situation/record.ts';
import { putSite, removeSite, UNDO_NAME } from '../situation/site-calls.ts';
import { authorOf } from './organization-sites.ts';
import { latestAuthor } from './prepare-row.ts';
import { authorOfRow, targetOfRow } from './row-site.ts';
import type { Batch, PlannedStep, RowResult, SiteRow } from './rows.ts';
import { createWriteAccess, firstObstacle, obstacleFailure, type WriteAccess } from './write-access.ts';

/** The result of a run's undo for a row. */
export type UndoneRow = { readonly row: SiteRow } &
  /** `stays`: a configuration page that someone has changed since the run created it, or that someone else created. */
  (
    | { readonly state: 'undone'; readonly stays?: string }
    | { readonly state: 'stopped' }
    /** Someone changed what the run had written; `by`: the author of the site's latest version. */
    | { readonly state: 'kept'; readonly part: 'site' | 'page'; readonly by?: string }
    | { readonly state: 'failed'; readonly failure: Failure }
  );

/** A row with its steps that were taken and not reverted, in their order. */
export type AppliedRow = Pick<RowResult, 'row' | 'steps'>;
/** The common data of a run's rows that its undo needs. */
export type UndoneBatch = Pick<Batch, 'organization' | 'author'>;

export function undoableRows(results: readonly AppliedRow[]): AppliedRow[] {
  return results.filter(({ steps = [] }) => steps.some(({ call }) => call !== undefined));
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
 * Reverts what a run wrote for its rows, the switch of each first and its site last. What someone changed since stays, and is reported. A
 * row is left as it is if one of its writes would certainly be refused. Nothing throws.
 */
export async function undoRows(
  ports: SetupPorts,
  batch: UndoneBatch,
  results: readonly AppliedRow[],
  { signal, onRow }: UndoRowsOptions,
): Promise<readonly UndoneRow[]> {
  const pace = createPace(ports, signal);
  const withRetry: WithRetry = (work) => pace.call(work, undefined, 'to-the-end');
  const profile = await withRetry(() => ports.service.profile());
  const caller = profile.state === 'known' ? profile.value.email : '';
  const undoing = { ports, batch, withRetry, caller, access: createWriteAccess(ports, caller), signal };
  const reported = (undone: UndoneRow) => {
    onRow?.(undone);
    return undone;
  };
  return mapConcurrently(undoableRows(results), AT_ONCE, async ({ row, steps = [] }) => {
    if (profile.state === 'failed') return reported({ row, ...profile });
    return reported(signal.aborted ? { row, state: 'stopped' } : { row, ...(await undoRow(undoing, row, steps)) });
  });
}

/** The effects of a run's undo on people and visitors, from dry runs of its writes. Writes nothing. */
export async function undoConsequences(
  ports: SetupPorts,
  batch: UndoneBatch,
  results: readonly AppliedRow[],
  { signal, onRow }: { readonly signal: AbortSignal; readonly onRow?: () => void },
): Promise<ConsequenceOfSites[]> {
  const pace = createPace(ports, signal);
  const withRetry: WithRetry = (work) => pace.call(work);
  const ofRow = async ({ row, steps = [] }: AppliedRow) => {
    const step = steps.findLast((one) => one.id === 'register-site');
    const back = step === undefined || signal.aborted ? UNDONE : await wayBackOf({ ports, batch, withRetry }, row, step);
    if ('state' in back) return [];
    const answer = await withRetry(() => ports.service.dryRun(back));
    const stated = answer.state === 'known' ? (answer.value.consequences ?? []) : [];
    const known = back.method === 'DELETE' && stated.length === 0 ? [{ what: { kind: 'stops' } as const }] : stated;
    return known.map(({ what }) => ({ what, sites: [row.siteName] }));
  };
  const found = await mapConcurrently(undoableRows(results), AT_ONCE, async (result) => {
    const one = await ofRow(result);
    onRow?.();
    return one;
  });
  return groupConsequences(found.flat());
}

interface Undoing {
  readonly ports: SetupPorts;
  readonly batch: UndoneBatch;
  readonly withRetry: WithRetry;
  /** Called before the write that reverts a site. */
  readonly onSend?: (back: Call) => void;
}

type RowEnd = UndoneRow extends infer One ? (One extends UndoneRow ? Omit<One, 'row'> : never) : never;

const UNDONE: RowEnd = { state: 'undone' };

interface UndoingRun extends Undoing {
  /** Their e-mail address. The run is theirs: it is stored in their browser. */
  readonly caller: string;
  readonly access: WriteAccess;
  readonly signal: AbortSignal;
}

async function undoRow(undoing: UndoingRun, row: SiteRow, steps: readonly PlannedStep[]): Promise<RowEnd> {
  const failure = (await authoringRefusal(undoing, row, steps)) ?? (await serviceRefusal(undoing, row, steps));
  if (failure !== undefined) return { state: 'failed', failure };
  if (undoing.signal.aborted) return { state: 'stopped' };
  let whole = UNDONE;
  for (const step of steps.toReversed()) {
    const end = await undoStep(undoing, row, step);
    if (end.state !== 'undone') return end;
    whole = { ...whole, ...end };
  }
  return whole;
}

/** Why the authoring system would refuse a write of the undo. A step that is already undone, or that stays, has none. */
async function authoringRefusal(undoing: UndoingRun, row: SiteRow, steps: readonly PlannedStep[]): Promise<Failure | undefined> {
  const backs = steps.toReversed().flatMap((step): PlannedStep[] => {
    const call = authoringBack(undoing, row, step);
    return call === undefined ? [] : [{ id: step.id, state: step.state, call }];
  });
  const stepOf = (id: PlannedStep['id']) => steps.find((step) => step.id === id);
  const isWritten = async (id: PlannedStep['id']) => mayWrite(undoing, row, stepOf(id));
  const found = await firstObstacle(undoing.access, backs, undoing.withRetry, isWritten);
  return found === undefined ? undefined : obstacleFailure(found.obstacle);
}

/** Whether the undo of a step writes something, or it is unknown. */
async function mayWrite(undoing: UndoingRun, row: SiteRow, step: PlannedStep | undefined): Promise<boolean> {
  const call = step?.call;
  if (call === undefined) return false;
  if (step?.id === 'configuration-page') return (await createdPage(undoing, row)).state !== 'undone';
  const unchanged = await undoing.withRetry(() => undoing.ports.authoring.holds(call));
  return unchanged.state !== 'known' || unchanged.value;
}

/** Why the service would refuse to revert the site. Only requested if something else is reverted before it. */
async function serviceRefusal(undoing: Undoing, row: SiteRow, steps: readonly PlannedStep[]): Promise<Failure | undefined> {
  const last = steps.findLast(({ call }) => call !== undefined);
  const step = steps.findLast(({ id }) => id === 'register-site');
  if (step === undefined || step === last) return undefined;
  const back = await wayBackOf(undoing, row, step);
  if ('state' in back) return back.state === 'failed' ? back.failure : undefined;
  const answer = await undoing.withRetry(() => undoing.ports.service.dryRun(back));
  if (answer.state !== 'failed' || hasNoDryRun(answer)) return undefined;
  return answer.failure.problem?.code === 'PRECONDITION_FAILED' ? undefined : answer.failure;
}

async function undoStep(undoing: UndoingRun, row: SiteRow, step: PlannedStep): Promise<RowEnd> {
  if (step.id === 'register-site') return undoSite(undoing, row, step);
  const back = authoringBack(undoing, row, step);
  if (back === undefined) return UNDONE;
  if (step.id === 'configuration-page') return undoPage(undoing, row, back);
  return step.call === undefined ? UNDONE : undoAuthoring(undoing, step.call, back);
}

/** A page that the run created is removed as in the undo of one setup. */
async function undoPage(undoing: UndoingRun, row: SiteRow, back: Call): Promise<RowEnd> {
  const page = await createdPage(undoing, row);
  if (page.state !== 'own') return page;
  const { ports, withRetry } = undoing;
  const removed = await withRetry(() => makeCall({ ports, signal: neverAborting() }, back));
  return removed.state === 'failed' ? removed : UNDONE;
}

async function createdPage({ ports, withRetry, caller }: UndoingRun, row: SiteRow): Promise<RowEnd | { readonly state: 'own' }> {
  const path = row.configurationPage;
  if (path === undefined) return UNDONE;
  const page = await withRetry(() => ports.authoring.createdPage(path));
  if (page.state === 'failed') return page;
  if (page.state === 'missing') return UNDONE;
  return isOwnPage({ page }, { by: caller }) ? { state: 'own' } : { state: 'undone', stays: path };
}

/** The call that reverts a step in the authoring system. */
function authoringBack({ batch }: Undoing, row: SiteRow, { id, state, call, revert }: PlannedStep): Call | undefined {
  if (id === 'register-site') return undefined;
  if (id === 'configuration-page')
    return row.configurationPage === undefined ? undefined : removeNode(`${authorOfRow(batch, row)}${row.configurationPage}`);
  if (call === undefined || (revert === undefined && state.kind !== 'create')) return undefined;
  return revert === undefined ? removeNode(call.address) : withoutRecord(call, revert);
}

/** Only reverts what is still as the run wrote it. */
async function undoAuthoring({ ports, withRetry }: Undoing, call: Call, back: Call): Promise<RowEnd> {
  const end = await revertCall(ports, withRetry, { call, back });
  if (end.state === 'kept') return { state: 'kept', part: 'page' };
  return end.state === 'failed' ? end : UNDONE;
}

/** How often a site is read again because it was written between reading and writing. */
const ROUNDS = 3;

/**
 * Reverts what a step wrote to the site of its row: a site that it created is removed, another one loses only what it changed. What someone
 * changed since stays.
 */
export async function undoSite(undoing: Undoing, row: SiteRow, step: PlannedStep): Promise<RowEnd> {
  const { ports, withRetry, onSend } = undoing;
  for (let round = 1; ; round++) {
    const back = await wayBackOf(undoing, row, step);
    if ('state' in back) return back;
    onSend?.(back);
    const answer = await withRetry(() => ports.service.send(back));
    if (answer.state !== 'failed') return UNDONE;
    if (answer.failure.problem?.code === 'PRECONDITION_FAILED' && round < ROUNDS) continue;
    // Perhaps only the answer was lost.
    const last = await wayBackOf(undoing, row, step);
    return 'state' in last && last.state === 'undone' ? last : answer;
  }
}

const PUT_BACK = 'put back: the move did not succeed';

/** The call that reverts what a step wrote to a site, otherwise why there is none. */
async function wayBackOf({ ports: { service }, batch, withRetry }: Undoing, row: SiteRow, step: PlannedStep): Promise<RowEnd | Call> {
  const site = targetOfRow(batch, row);
  const isMove = row.move !== undefined;
  const now = await withRetry(() => service.configuration(site.organization, site.siteName));
  if (now.state === 'failed') return now;
  if (now.state === 'missing') {
    // Callers without a role on the site get the same status as if there were none.
    const { organization, siteName: name } = site;
    const left = await withRetry(() => service.history.current({ kind: 'site', organization, name }));
    return left.state === 'failed' ? left : UNDONE;
  }
  if (isMove && authorOf(now.value.config) !== authorOfRow(batch, row)) return UNDONE;
  const { config, etag } = now.value;
  const written = withoutContentId(step.call?.body?.type === 'json' ? step.call.body.value : undefined);
  const current = withoutContentId(withoutServerFields(config));
  const isCreated = step.state.kind === 'create';
  const before = withoutContentId(step.restores);
  const undone = undoChange(before, written, current);
  // What a move changes belongs together: someone's change of one part is not mixed with previous values of the others.
  const isMixed =
    isMove && keysOf(before, written).some((part) => !sameValue(before[part], written[part]) && !sameValue(current[part], written[part]));
  // Without its previous configuration, nothing of a site that existed is taken from it.
  const isChangedByOthers = isCreated
    ? !sameValue(current, written)
    : step.restores === undefined || undone.state === 'overlaps' || isMixed;
  if (isChangedByOthers)
    return { state: 'kept', part: 'site', ...latestAuthor(await withRetry(() => service.versions(site.organization, site.siteName))) };
  if (isCreated) return removeSite(site, etag);
  return undone.state === 'clean' ? putSite(site, undone.document, isMove ? PUT_BACK : UNDO_NAME, { ifMatch: etag }) : UNDONE;
}

/** The service adds the identifier of the content to what is sent. */
function withoutContentId(document: unknown): Record<string, unknown> {
  const site: Readonly<Record<string, unknown>> = Object(document);
  const parsed = Site.shape.content.safeParse(site['content']);
  if (!parsed.success || parsed.data === undefined) return { ...site };
  const { contentBusId: _id, ...content } = parsed.data;
  return { ...site, content };
}
