import { obstacleTo, refusedBy, visibleTo } from './access-control.ts';
import type { ContentStore, WritableTree } from './content-store.ts';
import { nameOf, parentOf, textOf } from './resource.ts';
import type { Properties } from './resource.ts';
import { notStored } from './sling-answer.ts';
import type { Change, SlingOutcome } from './sling-answer.ts';
import { checkName, FormProblem, propertyChanges, typedValue } from './sling-form.ts';
import type { PropertyChange } from './sling-form.ts';

/** The type of a node that takes any property and any node. */
const PLAIN = 'nt:unstructured';

/** Who writes and when, for `jcr:created` and its kin. */
export interface Writer {
  readonly email: string;
  /** As the content tree keeps dates (shown-date.ts). */
  readonly at: string;
}

/**
 * A Sling POST on one path: set and remove properties (missing resources are made), `:operation=delete` or `nop`. All of it, or
 * nothing. Sling's other operations are not here: nobody uses them.
 */
export function writeResource(store: ContentStore, environment: string, path: string, form: URLSearchParams, writer: Writer): SlingOutcome {
  const operation = form.get(':operation') ?? '';
  if (operation === 'nop') return { status: 200, message: 'Null Operation Status: 200' };
  if (operation === 'delete') return store.change(environment, (tree) => remove(tree, path, writer));
  if (!['', 'modify'].includes(operation)) return { status: 500, message: 'Invalid operation specified for POST request' };
  try {
    return store.change(environment, (tree) => modify(tree, path, propertyChanges(form), writer));
  } catch (cause) {
    if (!(cause instanceof FormProblem)) throw cause;
    return notStored(path, cause.message);
  }
}

/** A change with the resource that holds its property. */
interface Placed {
  readonly change: PropertyChange;
  readonly holder: string;
  readonly name: string;
}

function modify(tree: WritableTree, path: string, changes: readonly PropertyChange[], writer: Writer): SlingOutcome {
  const placed = changes.map((change): Placed => {
    const target = resolve(path, change.field);
    return { change, holder: parentOf(target), name: nameOf(target) };
  });
  for (const holder of new Set([path, ...placed.map((one) => one.holder)])) {
    if (!/^\/(content|conf)(\/|$)/.test(holder)) return notStored(path, `Resource at '${holder}' is not modifiable.`);
    if (tree.read(holder) !== undefined && visibleTo(tree, writer.email).read(holder) === undefined)
      return notStored(path, 'This tree does not exist', 'java.lang.IllegalStateException');
    const obstacle = obstacleTo(tree, holder, writer.email);
    if (obstacle !== undefined) return refusedBy(obstacle, path, `Resource at '${holder}' is not modifiable.`);
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
  const [status, message] = created ? [201, 'Created'] : [200, 'OK'];
  return { status, message, path, title: `Content ${created ? 'created' : 'modified'} ${path}`, created, changes: done };
}

/** Where a field points to: below the posted resource, beside it with `..`, or anywhere with a path of its own. */
function resolve(path: string, field: string): string {
  if (field.startsWith('/')) return field;
  const segments: string[] = [];
  for (const segment of `${path}/${field}`.split('/').slice(1)) {
    if (segment === '..') segments.pop();
    else if (segment !== '.') segments.push(segment);
  }
  return `/${segments.join('/')}`;
}

function set(tree: WritableTree, { holder, name }: { holder: string; name: string }, change: PropertyChange, done: Change[]): void {
  checkName(name, 'property');
  const properties = tree.read(holder)?.properties ?? {};
  checkFree(properties, name);
  const hint = change.typeHint ?? (name === 'jcr:mixinTypes' ? 'String[]' : undefined);
  tree.put(holder, { ...properties, [name]: typedValue(change.values ?? [], hint, properties[name]) });
  done.push({ type: 'modified', argument: `${holder}/${name}` });
}

/** `@Delete` removes a property or a node, and is reported even where there was none; an empty value removes a property. */
function unset(tree: WritableTree, what: { holder: string; name: string; always: boolean }, done: Change[]): void {
  const { holder, name, always } = what;
  const properties = tree.read(holder)?.properties ?? {};
  checkFree(properties, name);
  const { [name]: before, ...others } = properties;
  if (before !== undefined) tree.put(holder, others);
  else if (always) tree.remove(`${holder}/${name}`);
  if (before !== undefined || always) done.push({ type: 'deleted', argument: `${holder}/${name}` });
}

/** Who made a node and when is the repository's own matter, but in a plain node, where the names mean nothing. */
function checkFree(properties: Properties, name: string): void {
  const isKept = ['jcr:created', 'jcr:createdBy'].includes(name) && textOf(properties, 'jcr:primaryType') !== PLAIN;
  if (isKept) throw new FormProblem(`Property is protected: ${name}`);
}

interface Making {
  readonly done: Change[];
  /** The primary types that the form names, by the paths of their nodes. */
  readonly types: ReadonlyMap<string, string | undefined>;
}

/** A missing resource and its missing ancestors. */
function make(tree: WritableTree, path: string, writer: Writer, making: Making): void {
  const parent = parentOf(path);
  checkName(nameOf(path), 'node');
  if (parent !== '/' && tree.read(parent) === undefined) make(tree, parent, writer, making);
  const type = making.types.get(path) ?? childType(tree.read(parent)?.properties ?? {}, nameOf(path));
  if (/^[a-z]+:/.exec(type) === null) throw new FormProblem(`${type} is no node type.`);
  const dated = type !== PLAIN;
  tree.put(path, { 'jcr:primaryType': type, ...(dated ? { 'jcr:createdBy': writer.email, 'jcr:created': writer.at } : {}) });
  making.done.push({ type: 'created', argument: path });
}

/** What a node is made as where the form names no type: a folder's children are folders of its kind, a page's content is page content. */
function childType(parent: Properties, name: string): string {
  const type = textOf(parent, 'jcr:primaryType') ?? '';
  if (type === 'cq:Page' && name === 'jcr:content') return 'cq:PageContent';
  return ['sling:Folder', 'sling:OrderedFolder'].includes(type) ? type : PLAIN;
}

/** What is not there, or not to be seen, is removed already. */
function remove(tree: WritableTree, path: string, { email }: Writer): SlingOutcome {
  const done = { status: 200, message: 'OK', path, title: `Content modified ${path}` };
  if (visibleTo(tree, email).read(path) !== undefined) {
    const obstacle = obstacleTo(tree, path, email);
    if (obstacle !== undefined) return refusedBy(obstacle, path, 'Unable to commit changes to session.');
    tree.remove(path);
  }
  return { ...done, changes: [{ type: 'deleted', argument: path }] };
}
