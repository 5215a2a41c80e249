import type { WritableTree } from './content-store.ts';
import { nameOf, parentOf } from './resource.ts';
import type { Change } from './sling-answer.ts';
import { FormProblem } from './sling-form.ts';

/** `:order`: `first`, `last`, `before x`, `after x`, or a place among its siblings from 0. Throws `FormProblem`. */
export function orderResource(tree: WritableTree, path: string, form: URLSearchParams, done: Change[]): void {
  const order = form.get(':order') ?? '';
  if (order === '') return;
  const names = tree.children(parentOf(path)).map((sibling) => nameOf(sibling.path));
  const before = following(order, names);
  if (before !== undefined && !names.includes(before)) throw new FormProblem('repository', `There is no sibling ${before}.`);
  if (before !== nameOf(path)) tree.reorder(path, before);
  done.push({ type: 'ordered', argument: before === undefined ? [path] : [path, before] });
}

/** The sibling that comes next; undefined for the last place. */
function following(order: string, names: readonly string[]): string | undefined {
  const [, where, name = ''] = /^(before|after) (.+)$/.exec(order) ?? [];
  if (where === 'before') return name;
  if (where === 'after') return names.includes(name) ? names[names.indexOf(name) + 1] : name;
  if (order === 'first') return names[0];
  if (order === 'last') return undefined;
  if (!/^\d{1,9}$/.test(order)) throw new FormProblem('argument', `provided node ordering command is invalid: ${order}`);
  return names[Number(order)];
}
