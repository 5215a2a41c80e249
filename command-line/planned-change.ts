import type { ConsequenceOfSites } from '@repoless/contract/consequence.ts';
import type { Change as ConfigurationChange } from '@repoless/core/history/change.ts';
import { describeChange } from '@repoless/core/history/describe-change.ts';
import { isObject } from '@repoless/core/history/json-values.ts';
import { commandLine as messages } from '@repoless/core/messages/en/command-line.ts';
import type { PlannedRow } from '@repoless/core/sites/apply-rows.ts';
import type { RemovedPage } from '@repoless/core/sites/plan-removals.ts';
import { authorOfRow, rowAddresses } from '@repoless/core/sites/row-site.ts';
import type { Batch, CellMessage, PlannedStep, RowStep, SiteRow } from '@repoless/core/sites/rows.ts';
import { PREVIOUS_PROPERTY, subjectOf } from '@repoless/core/situation/edge-configuration.ts';
import { createPatch } from 'rfc6902';
import { cellLine, changeLine } from './explain.ts';

export type PlanSummary = Readonly<Record<'create' | 'change' | 'remove' | 'unchanged' | 'blocked', number>>;

export function summaryOf(changes: readonly Change[]): PlanSummary {
  const count = (action: Change['action']) => changes.filter((change) => change.action === action).length;
  return { create: count('create'), change: count('change'), remove: count('remove'), unchanged: count('none'), blocked: count('blocked') };
}

export interface Change {
  readonly site: string;
  readonly action: 'create' | 'change' | 'remove' | 'none' | 'blocked';
  /** False: the service has no dry run. */
  readonly tried: boolean;
  readonly steps: readonly { readonly step: RowStep; readonly diff?: unknown; readonly changes: readonly StepChange[] }[];
  readonly consequences: readonly ConsequenceOfSites[];
  readonly problems: readonly { readonly field: string; readonly sentence: string }[];
  /** For a site whose content is replaced by other content, or would be if that were confirmed. */
  readonly content?: ContentChange;
  readonly removes?: Removed;
}

export function changeOf(batch: Batch, { row, plan: rowPlan, problems, consequences, untried }: PlannedRow): Change {
  const site = row.siteName;
  const about = { site, tried: untried === undefined, consequences };
  const current =
    rowPlan.kind === 'ready' ? rowPlan.replaced : problems.flatMap(({ message }) => (message.kind === 'name-taken' ? message.root : []))[0];
  const content = current === undefined ? undefined : contentChangeOf(batch, row, current);
  const replaces = content === undefined ? {} : { content };
  if (rowPlan.kind === 'blocked' || problems.length > 0) {
    const sentence = (message: CellMessage) =>
      message.kind === 'name-taken' && content !== undefined ? contentQuestion(site, content) : cellLine(message);
    const described = problems.map(({ cell, message }) => ({ field: cell, sentence: sentence(message) }));
    return { ...about, ...replaces, action: 'blocked', steps: [], problems: described };
  }
  const open = rowPlan.outcome === 'unchanged' ? [] : rowPlan.steps;
  const steps = open.flatMap((planned) => {
    const { id: step, state } = planned;
    if (state.kind === 'done' || step === 'code' || step === 'pages') return [];
    const changes = stepChanges(planned);
    return [state.kind === 'change' ? { step, changes, diff: createPatch(state.before, state.after) } : { step, changes }];
  });
  const action = rowPlan.outcome === 'created' ? 'create' : rowPlan.outcome === 'changed' ? 'change' : 'none';
  return { ...about, ...replaces, action, steps, problems: [] };
}

/** The content that a site has, and its replacement: addresses of content roots on their authors. */
export interface ContentChange {
  readonly from: string;
  readonly to: string;
  readonly preview: string;
  readonly live: string;
  /** The site moves with its content, so other pages answer at the same addresses. */
  readonly moves?: true;
}

/** `current`: what the site has now, as a path if it is on the author of the row. */
export function contentChangeOf(batch: Batch, row: SiteRow, current: string): ContentChange {
  const author = authorOfRow(batch, row);
  return {
    from: current.startsWith('/') ? `${author}${current}` : current,
    to: `${author}${row.contentRoot}`,
    ...rowAddresses(batch, row),
    ...(row.move === undefined ? {} : { moves: true }),
  };
}

export function contentQuestion(site: string, change: ContentChange): string {
  return messages.content.question(site, change);
}

/** One thing that a step changes; `text` describes it in a line. */
export interface StepChange {
  readonly text: string;
  /** A property of the authoring system, or a pointer into the site's configuration (RFC 6901). */
  readonly field: string;
  readonly from?: string;
  readonly to?: string;
  /** For a list, including people. */
  readonly added?: readonly string[];
  readonly removed?: readonly string[];
}

/** What a planned step changes, from the call's body and the previous state. */
export function stepChanges({ state, call }: PlannedStep): StepChange[] {
  const { body } = call ?? {};
  const before = state.kind === 'change' ? state.before : undefined;
  if (body?.type === 'json') {
    const after = state.kind === 'change' ? state.after : body.value;
    if (!isObject(after)) return [];
    return describeChange(isObject(before) ? before : undefined, after).flatMap(configurationChange);
  }
  if (call === undefined || body?.type !== 'form') return [];
  const { creates } = subjectOf(call);
  if (creates !== undefined) return [created(creates)];
  return body.fields.flatMap(([name, value]) => propertyChange(name, value, before));
}

function configurationChange(change: ConfigurationChange): StepChange[] {
  if (change.area === 'whole') return [];
  const text = changeLine(change);
  const common = { text, field: change.pointer };
  switch (change.kind) {
    case 'list':
      return [{ ...common, added: change.added, removed: change.removed }];
    case 'field':
    case 'other':
    case 'mapping':
      return [{ ...common, ...fromTo(change.from, change.to) }];
    case 'order':
    case 'inclusion':
      return [common];
    default:
      return change satisfies never;
  }
}

function created(path: string): StepChange {
  return { text: messages.plan.creates(path), field: path };
}

/** `@Delete` and `@TypeHint` say how to write a property, primary types which node to create. */
function propertyChange(name: string, value: string, before: unknown): StepChange[] {
  const field = name.replace(/^\.\/(jcr:content\/)?/, '');
  if (field.includes('@') || field.endsWith('jcr:primaryType')) return [];
  if (field === PREVIOUS_PROPERTY) return [{ text: messages.plan.keepsPrevious, field }];
  const previous = isObject(before) ? before[field] : before;
  const from = typeof previous === 'string' ? previous : undefined;
  return from === value ? [] : [{ text: messages.plan.field(field, from, value), field, ...fromTo(from, value) }];
}

function fromTo(from: string | undefined, to: string | undefined) {
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
}

/** What is removed with a site, and what stays. */
export interface Removed {
  readonly preview: string;
  readonly live: string;
  readonly productionHost?: string;
  readonly secrets: readonly string[];
  readonly apiKeys: readonly string[];
  readonly versionsKept: number;
  readonly page?: RemovedPage;
}
