import { visibleTo } from './access-control.ts';
import { resolvePath } from './applied-to.ts';
import type { ReadableTree, WritableTree } from './content-store.ts';
import { make, PLAIN } from './make-resource.ts';
import { orderResource } from './order-resource.ts';
import { nameOf, parentOf, textOf } from './resource.ts';
import type { Properties } from './resource.ts';
import { conflicting, failed, invalidPayload } from './sling-answer.ts';
import type { Change, SlingOutcome } from './sling-answer.ts';
import { checkName, FormProblem, propertyChanges, typedValue } from './sling-form.ts';
import type { PropertyChange } from './sling-form.ts';
import { isInReach, isRefused } from './writer.ts';
import type { Writer } from './writer.ts';

/** A change with the resource that holds its property. */
interface Placed {
  readonly change: PropertyChange;
  readonly holder: string;
  readonly name: string;
}

/** Sets and removes properties; missing resources are made. Throws `FormProblem`. */
export function modifyResource(tree: WritableTree, path: string, form: URLSearchParams, writer: Writer): SlingOutcome {
  const placed = propertyChanges(form).map((change): Placed => {
    const target = resolvePath(path, change.field);
    return { change, holder: parentOf(target), name: nameOf(target) };
  });
  for (const holder of new Set([path, ...placed.map((one) => one.holder)])) {
    const isHidden = tree.read(holder) !== undefined && visibleTo(tree, writer.email).read(holder) === undefined;
    if (isHidden) return failed(path, 'This tree does not exist', 'java.lang.IllegalStateException');
    if (!isInReach(holder)) return conflicting(path);
    if (isRefused(tree, holder, writer)) return setsValue(tree, holder, placed) ? invalidPayload(path) : conflicting(path);
  }
  const created = tree.read(path) === undefined;
  const done: Change[] = [];
  const types = new Map(placed.filter(({ name }) => name === 'jcr:primaryType').map(({ holder, change }) => [holder, change.values?.[0]]));
  const makeMissing = (holder: string) => {
    if (tree.read(holder) === undefined) make(tree, holder, writer, { done, types });
  };
  makeMissing(path);
  for (const { holder, name, change } of placed) if (change.remove) unset(tree, { holder, name, always: true }, done);
  for (const { holder, name, change } of placed) {
    if (change.values === undefined) continue;
    makeMissing(holder);
    if (change.values.length === 0) unset(tree, { holder, name, always: false }, done);
    else if (name === 'jcr:primaryType') tree.put(holder, { ...tree.read(holder)?.properties, [name]: change.values[0] ?? '' });
    else set(tree, { holder, name }, change, done);
  }
  orderResource(tree, path, form, done);
  if (!created) return { status: 200, message: 'OK', path, title: `Content modified ${path}`, changes: done };
  return { status: 201, message: 'Created', path, title: `Content created ${path}`, created, changes: done };
}

/** Sling tries values first, and where they are refused says so; it learns of all else when it commits. */
function setsValue(tree: ReadableTree, holder: string, placed: readonly Placed[]): boolean {
  const own = placed.filter((one) => one.holder === holder && one.change.values !== undefined);
  if (tree.read(holder) === undefined && own.some(({ name }) => name === 'jcr:primaryType')) return false;
  return own.some(({ name, change }) => name !== 'jcr:primaryType' && change.values?.length !== 0);
}

function set(tree: WritableTree, { holder, name }: { holder: string; name: string }, change: PropertyChange, done: Change[]): void {
  checkName(name, 'property');
  const properties = tree.read(holder)?.properties ?? {};
  checkFree(properties, name, 'value');
  const hint = change.typeHint ?? (name === 'jcr:mixinTypes' ? 'String[]' : undefined);
  tree.put(holder, { ...properties, [name]: typedValue(change.values ?? [], hint, properties[name]) });
  done.push({ type: 'modified', argument: `${holder}/${name}` });
}

/** `@Delete` removes a property or a node, and is reported even where there was none; an empty value removes a property. */
function unset(tree: WritableTree, what: { holder: string; name: string; always: boolean }, done: Change[]): void {
  const { holder, name, always } = what;
  const properties = tree.read(holder)?.properties ?? {};
  checkFree(properties, name, 'argument');
  const { [name]: before, ...others } = properties;
  if (before !== undefined) tree.put(holder, others);
  else if (always) tree.remove(`${holder}/${name}`);
  if (before !== undefined || always) done.push({ type: 'deleted', argument: `${holder}/${name}` });
}

/** Who made a node and when is the repository's own matter, but in a plain node, where the names mean nothing. */
function checkFree(properties: Properties, name: string, about: 'value' | 'argument'): void {
  const isKept = ['jcr:created', 'jcr:createdBy'].includes(name) && textOf(properties, 'jcr:primaryType') !== PLAIN;
  if (isKept) throw new FormProblem(about, `Property is protected: ${name}`);
}
