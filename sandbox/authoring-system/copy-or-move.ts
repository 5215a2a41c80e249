import { visibleTo } from './access-control.ts';
import { appliedTo, resolvePath } from './applied-to.ts';
import type { ReadableTree, WritableTree } from './content-store.ts';
import { make, PLAIN } from './make-resource.ts';
import { orderResource } from './order-resource.ts';
import { nameOf, parentOf, textOf } from './resource.ts';
import type { Resource } from './resource.ts';
import { failed } from './sling-answer.ts';
import type { Change, SlingOutcome } from './sling-answer.ts';
import { checkName, FormProblem } from './sling-form.ts';
import { isRefused, isReplaceable } from './writer.ts';
import type { Writer } from './writer.ts';

type How = 'copy' | 'move';

/** A limit of this stand-in, because a short form could create a tree of any size. */
const LARGEST = 10_000;

/**
 * `:operation=copy` and `move` to `:dest`, or below it if it ends with a slash. A missing source counts as an empty node, as in
 * Sling. Throws `FormProblem`.
 */
export function copyOrMove(tree: WritableTree, how: How, path: string, form: URLSearchParams, writer: Writer): SlingOutcome {
  const given = form.get(':dest') ?? '';
  if (given === '') return failed(path, `Unable to process ${how}. Missing destination`, 'java.lang.IllegalArgumentException');
  const isFolder = given.endsWith('/');
  const dest = resolvePath(parentOf(path), given);
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
    const isThere = seen.read(source) !== undefined;
    const target = `${parent}/${isFolder || !isThere ? nameOf(source) : nameOf(dest)}`;
    if (isThere) carry(tree, how, { source, target }, writer);
    else makeEmpty(tree, target, writer);
    if (!isThere && how === 'move') return { status: 404, message: `Missing source ${source} for move`, path };
    changes.push({ type: how === 'copy' ? 'copied' : 'moved', argument: [source, target] });
    if (several === undefined) orderResource(tree, target, form, changes);
  }
  const created = several === undefined && !isTaken;
  const title = `Content ${created ? 'created' : 'modified'} ${path}`;
  const isSaid = created || several !== undefined;
  return { status: created ? 201 : 200, message: created ? 'Created' : 'OK', path, title, changes, ...(isSaid ? { created } : {}) };
}

/** A copy leaves out what the writer may not read; a move includes it. */
function carry(tree: WritableTree, how: How, { source, target }: { source: string; target: string }, writer: Writer): void {
  checkName(nameOf(target), 'node', how === 'copy' ? 'repository' : 'value');
  const isInside = target === source || target.startsWith(`${source}/`) || source.startsWith(`${target}/`);
  checkPlace(tree, target, writer);
  if (isInside || (how === 'move' && isRefused(tree, source, writer))) throw new FormProblem('repository', `${source} stays where it is.`);
  const carried = gather(how === 'move' ? tree : visibleTo(tree, writer.email), source);
  tree.remove(target);
  if (how === 'move') tree.remove(source);
  for (const { path, properties } of carried) {
    const isNew = how === 'copy' && properties['jcr:created'] !== undefined && textOf(properties, 'jcr:primaryType') !== PLAIN;
    const made = isNew ? { 'jcr:createdBy': writer.email, 'jcr:created': writer.at } : {};
    tree.put(`${target}${path.slice(source.length)}`, { ...properties, ...made });
  }
}

function makeEmpty(tree: WritableTree, target: string, writer: Writer): void {
  checkPlace(tree, target, writer);
  if (tree.read(target) !== undefined) throw new FormProblem('repository', `${target} is there already.`);
  make(tree, target, writer, { done: [], types: new Map() });
}

function checkPlace(tree: ReadableTree, target: string, writer: Writer): void {
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
