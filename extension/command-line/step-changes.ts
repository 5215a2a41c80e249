import type { Change } from '#extension/setup/history/change.ts';
import { describeChange } from '#extension/setup/history/describe-change.ts';
import { isObject } from '#extension/setup/history/json-place.ts';
import { PREVIOUS_PROPERTY } from '#extension/setup/edge-configuration.ts';
import type { PlannedStep } from '#extension/setup/sites/plan-row.ts';
import { changeSentence } from '#extension/messages/change-sentence.ts';
import { historyPanel } from '#extension/messages/en/history-panel.ts';
import { commandLine as messages } from '#extension/messages/en/command-line.ts';

/** One thing that a step changes; `text` says it in a line. */
export interface StepChange {
  readonly text: string;
  /** A property of the authoring system, or where it is in the site's configuration (RFC 6901). */
  readonly field: string;
  readonly from?: string;
  readonly to?: string;
  /** Of a list, people among them. */
  readonly added?: readonly string[];
  readonly removed?: readonly string[];
}

/** What a planned step changes, from what its call sends and what was there before. */
export function stepChanges({ state, call }: PlannedStep): StepChange[] {
  const { body } = call ?? {};
  const before = state.kind === 'change' ? state.before : undefined;
  if (body?.type === 'json') {
    const after = state.kind === 'change' ? state.after : body.value;
    if (!isObject(after)) return [];
    return describeChange(isObject(before) ? before : undefined, after).flatMap(configurationChange);
  }
  if (body?.type !== 'form') return [];
  const fields = new Map(body.fields);
  const label = fields.get('label');
  if (label !== undefined) return [created(`${fields.get('parentPath') ?? ''}/${label}`)];
  return body.fields.flatMap(([name, value]) => propertyChange(name, value, before));
}

function configurationChange(change: Change): StepChange[] {
  if (change.area === 'whole') return [];
  const text = changeSentence(historyPanel, change);
  const place = { text, field: change.pointer };
  switch (change.kind) {
    case 'list':
      return [{ ...place, added: change.added, removed: change.removed }];
    case 'field':
    case 'other':
    case 'mapping':
      return [{ ...place, ...fromTo(change.from, change.to) }];
    case 'order':
    case 'inclusion':
      return [place];
    default:
      return change satisfies never;
  }
}

function created(path: string): StepChange {
  return { text: messages.plan.creates(path), field: path };
}

/** `@Delete` and `@TypeHint` say how a property is written, primary types what a node is made as. */
function propertyChange(name: string, value: string, before: unknown): StepChange[] {
  const field = name.replace(/^\.\/(jcr:content\/)?/, '');
  if (field.includes('@') || field.endsWith('jcr:primaryType')) return [];
  if (field === PREVIOUS_PROPERTY) return [{ text: messages.plan.keepsPrevious, field }];
  const held = isObject(before) ? before[field] : before;
  const from = typeof held === 'string' ? held : undefined;
  return from === value ? [] : [{ text: messages.plan.field(field, from, value), field, ...fromTo(from, value) }];
}

function fromTo(from: string | undefined, to: string | undefined) {
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
}
