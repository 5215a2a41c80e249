import { isInReach, isRefused, isReplaceable, visibleTo, type Writer } from './access-control.ts';
import {
  type ContentStore,
  nameOf,
  parentOf,
  type Properties,
  type ReadableTree,
  type Resource,
  textOf,
  type WritableTree,
} from './content-store.ts';
import { type Change, conflicting, failed, invalidPayload, type SlingOutcome } from './sling-answer.ts';
import { checkName, FormProblem, make, PLAIN, type PropertyChange, propertyChanges, typedValue, importContent } from './sling-form.ts';

/** A Sling POST on one path: its `:operation`, otherwise properties are set and removed. All or nothing. */
export function writeResource(store: ContentStore, environment: string, path: string, form: URLSearchParams, writer: Writer): SlingOutcome {
  const operation = form.get(':operation') ?? '';
  try {
    return store.change(environment, (tree) => operate(tree, operation, path, form, writer));
  } catch (cause) {
    if (!(cause instanceof FormProblem)) throw cause;
    return outcomeOf(cause, path);
  }
}

/** `checkin`, `checkout` and `restore` are not supported, because nothing uses them. */
function operate(tree: WritableTree, operation: string, path: string, form: URLSearchParams, writer: Writer): SlingOutcome {
  switch (operation) {
    case '':
    case 'modify':
      return modifyResource(tree, path, form, writer);
    case 'delete':
      return remove(tree, path, form, writer);
    case 'copy':
    case 'move':
      return copyOrMove(tree, operation, path, form, writer);
    case 'import':
      return importContent(tree, path, form, writer);
    case 'nop':
      return { status: 200, message: 'Null Operation Status: 200' };
    default:
      return { status: 500, message: 'Invalid operation specified for POST request' };
  }
}

function outcomeOf({ about, message }: FormProblem, path: string): SlingOutcome {
  switch (about) {
    case 'value':
      return invalidPayload(path);
    case 'argument':
      return failed(path, message, 'java.lang.IllegalArgumentException');
    case 'repository':
      return conflicting(path);
    default:
      return about satisfies never;
  }
}

/** Removing something missing or invisible succeeds. */
function remove(tree: WritableTree, path: string, form: URLSearchParams, writer: Writer): SlingOutcome {
  const seen = visibleTo(tree, writer.email);
  const paths = appliedTo(seen, path, form) ?? [path];
  for (const one of paths.filter((named) => seen.read(named) !== undefined)) {
    if (!isReplaceable(one) || isRefused(tree, one, writer)) throw new FormProblem('repository', `${one} can’t be removed.`);
    tree.remove(one);
  }
  const changes = paths.map((argument) => ({ type: 'deleted' as const, argument }));
  return { status: 200, message: 'OK', path, title: `Content modified ${path}`, changes };
}

type How = 'copy' | 'move';

/** A limit of this stand-in, because a short form could create a tree of any size. */
const LARGEST = 10_000;

/**
 * `:operation=copy` and `move` to `:dest`, or below it if it ends with a slash. A missing source counts as an empty node, as in Sling.
 * Throws `FormProblem`.
 */
function copyOrMove(tree: WritableTree, how: How, path: string, form: URLSearchParams, writer: Writer): SlingOutcome {
  const destination = form.get(':dest') ?? '';
  if (destination === '') return failed(path, `Unable to process ${how}. Missing destination`, 'java.lang.IllegalArgumentException');
  const isFolder = destination.endsWith('/');
  const dest = resolvePath(parentOf(path), destination);
  const parent = isFolder ? dest : parentOf(dest);
  const seen = visibleTo(tree, writer.email);
  const isTaken = !isFolder && seen.read(dest) !== undefined;
  const problem = isTaken ? 'destination exists' : 'parent of destination does not exist';
  if (isTaken ? form.get(':replace')?.toLowerCase() !== 'true' : seen.read(parent) === undefined)
    return { status: 412, message: `Cannot ${how} ${path} to ${dest}: ${problem}`, path };
  const several = appliedTo(seen, path, form);
  if (several !== undefined && !isFolder) {
    const message = `Applying ${how} to multiple resources requires a trailing slash on the destination`;
    return failed(path, message, 'java.lang.IllegalArgumentException');
  }
  const changes: Change[] = [];
  for (const source of several ?? [path]) {
    const exists = seen.read(source) !== undefined;
    const target = `${parent}/${isFolder || !exists ? nameOf(source) : nameOf(dest)}`;
    if (exists) carry(tree, how, { source, target }, writer);
    else makeEmpty(tree, target, writer);
    if (!exists && how === 'move') return { status: 404, message: `Missing source ${source} for move`, path };
    changes.push({ type: how === 'copy' ? 'copied' : 'moved', argument: [source, target] });
    if (several === undefined) orderResource(tree, target, form, changes);
  }
  const created = several === undefined && !isTaken;
  const title = `Content ${created ? 'created' : 'modified'} ${path}`;
  const isReported = created || several !== undefined;
  return { status: created ? 201 : 200, message: created ? 'Created' : 'OK', path, title, changes, ...(isReported ? { created } : {}) };
}

/** A copy leaves out what the writer may not read; a move includes it. */
function carry(tree: WritableTree, how: How, { source, target }: { source: string; target: string }, writer: Writer): void {
  checkName(nameOf(target), 'node', how === 'copy' ? 'repository' : 'value');
  const isInside = target === source || target.startsWith(`${source}/`) || source.startsWith(`${target}/`);
  checkTarget(tree, target, writer);
  if (isInside || (how === 'move' && isRefused(tree, source, writer))) throw new FormProblem('repository', `${source} stays where it is.`);
  const carried = gather(how === 'move' ? tree : visibleTo(tree, writer.email), source);
  tree.remove(target);
  if (how === 'move') tree.remove(source);
  for (const { path, properties } of carried) {
    const isNew = how === 'copy' && properties['jcr:created'] !== undefined && textOf(properties, 'jcr:primaryType') !== PLAIN;
    const creation = isNew ? { 'jcr:createdBy': writer.email, 'jcr:created': writer.at } : {};
    tree.put(`${target}${path.slice(source.length)}`, { ...properties, ...creation });
  }
}

function makeEmpty(tree: WritableTree, target: string, writer: Writer): void {
  checkTarget(tree, target, writer);
  if (tree.read(target) !== undefined) throw new FormProblem('repository', `${target} is there already.`);
  make(tree, target, writer, { done: [], types: new Map() });
}

function checkTarget(tree: ReadableTree, target: string, writer: Writer): void {
  const isHidden = tree.read(target) !== undefined && visibleTo(tree, writer.email).read(target) === undefined;
  if (isHidden || !isReplaceable(target) || isRefused(tree, target, writer))
    throw new FormProblem('repository', `${target} can’t be written.`);
}

/** A resource and its descendants, parents first. */
function gather(tree: ReadableTree, path: string): Resource[] {
  const root = tree.read(path);
  const all = root === undefined ? [] : [root];
  for (const one of all) {
    all.push(...tree.children(one.path));
    if (all.length > LARGEST) throw new FormProblem('repository', `${path} has more than ${LARGEST} resources.`);
  }
  return all;
}

/** A change with the resource that holds its property. */
interface LocatedChange {
  readonly change: PropertyChange;
  readonly holder: string;
  readonly name: string;
}

/** Sets and removes properties, and creates missing resources. Throws `FormProblem`. */
function modifyResource(tree: WritableTree, path: string, form: URLSearchParams, writer: Writer): SlingOutcome {
  const located = propertyChanges(form).map((change): LocatedChange => {
    const target = resolvePath(path, change.field);
    return { change, holder: parentOf(target), name: nameOf(target) };
  });
  for (const holder of new Set([path, ...located.map((one) => one.holder)])) {
    const isHidden = tree.read(holder) !== undefined && visibleTo(tree, writer.email).read(holder) === undefined;
    if (isHidden) return failed(path, 'This tree does not exist', 'java.lang.IllegalStateException');
    if (!isInReach(holder)) return conflicting(path);
    if (isRefused(tree, holder, writer)) return setsValue(tree, holder, located) ? invalidPayload(path) : conflicting(path);
  }
  const created = tree.read(path) === undefined;
  const done: Change[] = [];
  const types = new Map(located.filter(({ name }) => name === 'jcr:primaryType').map(({ holder, change }) => [holder, change.values?.[0]]));
  const makeMissing = (holder: string) => {
    if (tree.read(holder) === undefined) make(tree, holder, writer, { done, types });
  };
  makeMissing(path);
  for (const { holder, name, change } of located) if (change.remove) unset(tree, { holder, name, always: true }, done);
  for (const { holder, name, change } of located) {
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

/** Sling reports refused values first; it detects everything else when it commits. */
function setsValue(tree: ReadableTree, holder: string, located: readonly LocatedChange[]): boolean {
  const own = located.filter((one) => one.holder === holder && one.change.values !== undefined);
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

/** `@Delete` removes a property or a node, and is reported even if there was none; an empty value removes a property. */
function unset(tree: WritableTree, what: { holder: string; name: string; always: boolean }, done: Change[]): void {
  const { holder, name, always } = what;
  const properties = tree.read(holder)?.properties ?? {};
  checkFree(properties, name, 'argument');
  const { [name]: before, ...others } = properties;
  if (before !== undefined) tree.put(holder, others);
  else if (always) tree.remove(`${holder}/${name}`);
  if (before !== undefined || always) done.push({ type: 'deleted', argument: `${holder}/${name}` });
}

/** Creator and creation time of a node belong to the repository, except in a plain node, where the names have no meaning. */
function checkFree(properties: Properties, name: string, about: 'value' | 'argument'): void {
  const isPreserved = ['jcr:created', 'jcr:createdBy'].includes(name) && textOf(properties, 'jcr:primaryType') !== PLAIN;
  if (isPreserved) throw new FormProblem(about, `Property is protected: ${name}`);
}

/** The existing resources that `:applyTo` names; `/*` stands for the children. Undefined if the form has no such field. */
function appliedTo(seen: ReadableTree, path: string, form: URLSearchParams): string[] | undefined {
  const applied = form.getAll(':applyTo');
  if (applied.length === 0) return undefined;
  return applied.flatMap((one) => {
    const named = resolvePath(path, one);
    if (named.endsWith('/*')) return seen.children(named.slice(0, -'/*'.length)).map((child) => child.path);
    return seen.read(named) === undefined ? [] : [named];
  });
}

/** Resolves a path: relative to another, with `..`, or absolute with a leading slash. */
function resolvePath(from: string, path: string): string {
  const segments: string[] = [];
  for (const segment of (path.startsWith('/') ? path : `${from}/${path}`).split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '.' && segment !== '') segments.push(segment);
  }
  return `/${segments.join('/')}`;
}

/** `:order`: `first`, `last`, `before x`, `after x`, or a position among its siblings from 0. Throws `FormProblem`. */
function orderResource(tree: WritableTree, path: string, form: URLSearchParams, done: Change[]): void {
  const order = form.get(':order') ?? '';
  if (order === '') return;
  const names = tree.children(parentOf(path)).map((sibling) => nameOf(sibling.path));
  const before = following(order, names);
  if (before !== undefined && !names.includes(before)) throw new FormProblem('repository', `There is no sibling ${before}.`);
  if (before !== nameOf(path)) tree.reorder(path, before);
  done.push({ type: 'ordered', argument: before === undefined ? [path] : [path, before] });
}

/** The sibling that comes next; undefined for the last position. */
function following(order: string, names: readonly string[]): string | undefined {
  const [, where, name = ''] = /^(before|after) (.+)$/.exec(order) ?? [];
  if (where === 'before') return name;
  if (where === 'after') return names.includes(name) ? names[names.indexOf(name) + 1] : name;
  if (order === 'first') return names[0];
  if (order === 'last') return undefined;
  if (!/^\d{1,9}$/.test(order)) throw new FormProblem('argument', `provided node ordering command is invalid: ${order}`);
  return names[Number(order)];
}
