import type { Failure } from '../situation/situation.ts';
import { planRow } from './plan-row.ts';
import type { PlannedStep, RowPlan } from './plan-row.ts';
import { gateProblem, problemOf, rowProblem } from './row-problem.ts';
import { authorOfRow } from './row-site.ts';
import { readRow } from './row-situation.ts';
import type { Reading } from './row-situation.ts';
import type { RowProblem, SiteRow } from './rows.ts';

/**
 * Reads a row, plans it, and asks whether what it writes in the authoring system can be written: review and run do this
 * alike, so that a row is refused before its first write. Workflows, listeners and validation of the authoring system cannot be asked beforehand.
 */
export async function prepareRow(reading: Reading, row: SiteRow): Promise<RowPlan> {
  const plan = planRow(reading.batch, row, await readRow(reading, row));
  if (plan.kind === 'blocked') return plan;
  const { gates, signal, onWaiting } = reading;
  const source = await gates.source(row, { signal, onWaiting }, plan.outcome);
  if (source !== undefined) return { kind: 'blocked', problem: gateProblem('repository', source) };
  if (row.technicalAccount === '' && reading.reach === 'both')
    return { kind: 'blocked', problem: gateProblem('register-site', NOBODY_PUBLISHES) };
  for (const step of plan.steps) {
    const problem = step.state.kind === 'done' ? undefined : await problemBefore(reading, row, step);
    if (problem !== undefined) return { kind: 'blocked', problem };
  }
  return plan;
}

/** The row's write lists its account among those who may publish; without one, publishing fails silently. */
const NOBODY_PUBLISHES: Failure = { kind: 'refused', finding: { kind: 'blocked', reason: 'technical-account-missing', data: {} } };

async function problemBefore(reading: Reading, row: SiteRow, { step, call }: PlannedStep): Promise<RowProblem | undefined> {
  if (call?.target !== 'authoring') return undefined;
  const { access, onWaiting } = reading;
  if (step === 'configuration-page') {
    const problem = await pageProblem(reading, row.configurationPage ?? '');
    if (problem !== undefined) return problem;
  }
  const written = call.address.slice(authorOfRow(reading.batch, row).length).replace('_jcr_content', 'jcr:content');
  const obstacle = await access.obstacle(step === 'configuration-page' ? parentOf(row.configurationPage ?? '') : written, onWaiting);
  switch (obstacle?.kind) {
    case undefined:
      return undefined;
    case 'failed':
      return problemOf(step, obstacle.failure);
    case 'locked':
      return rowProblem(step, 'locked', { path: obstacle.path.replace('/jcr:content', ''), by: obstacle.by });
    case 'not-writable':
      return rowProblem(step, 'not-writable', { path: obstacle.path.replace('/jcr:content', '') });
    default:
      return obstacle satisfies never;
  }
}

/** A page is made below one that is there, under the name that the authoring system leaves as it is. */
async function pageProblem({ access, onWaiting }: Reading, path: string): Promise<RowProblem | undefined> {
  const step = 'configuration-page';
  const parent = parentOf(path);
  if (!/^[a-z0-9_-]+$/.test(path.slice(parent.length + 1))) return rowProblem(step, 'configuration-page-name', { path });
  if (!parent.startsWith('/content/')) return rowProblem(step, 'configuration-page-parent', { path, parent });
  const [above, itself] = await Promise.all([access.exists(parent, onWaiting), access.exists(path, onWaiting)]);
  for (const read of [above, itself]) if (read.state === 'failed') return problemOf(step, read.failure);
  if (above.state === 'known' && !above.value) return rowProblem(step, 'configuration-page-parent', { path, parent });
  // Something that is no page has the name: the authoring system would number the new page.
  return itself.state === 'known' && itself.value ? rowProblem(step, 'configuration-page-type', { path, resourceType: '' }) : undefined;
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}
