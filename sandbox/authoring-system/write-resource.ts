import { obstacleTo, refusedBy } from './access-control.ts';
import type { ContentStore, WritableTree } from './content-store.ts';
import { parentOf } from './resource.ts';
import type { SlingOutcome } from './sling-answer.ts';
import { changedProperties, FormProblem, propertyChanges } from './sling-form.ts';
import type { PropertyChange } from './sling-form.ts';

/** Who writes and when, for `jcr:lastModified` and its kin. */
export interface Writer {
  readonly email: string;
  readonly at: string;
}

/** A Sling POST on one path: set and remove properties (missing resources are made), or `:operation=delete`. All of it, or nothing. */
export function writeResource(store: ContentStore, environment: string, path: string, form: URLSearchParams, writer: Writer): SlingOutcome {
  const operation = form.get(':operation');
  if (operation === 'delete') return store.change(environment, (tree) => remove(tree, path, writer));
  if (operation !== null && operation !== '' && operation !== 'modify')
    return {
      status: 500,
      message: `Invalid operation specified for POST request: "${operation}".`,
      path,
      title: `Error while processing ${path}`,
    };
  try {
    return store.change(environment, (tree) => modify(tree, path, propertyChanges(form), writer));
  } catch (cause) {
    if (!(cause instanceof FormProblem)) throw cause;
    return { status: 500, message: cause.message, path, title: `Error while processing ${path}` };
  }
}

function modify(tree: WritableTree, path: string, changes: readonly PropertyChange[], writer: Writer): SlingOutcome {
  const holders = [path, ...changes.map(({ holder }) => (holder === '' ? path : `${path}/${holder}`))];
  for (const holder of holders) {
    const obstacle = obstacleTo(tree, holder, writer.email);
    if (obstacle !== undefined) return refusedBy(obstacle, holder);
  }
  const created = tree.read(path) === undefined;
  const made = new Set<string>();
  if (created) make(tree, path, writer, made);
  for (const change of changes) {
    const holder = change.holder === '' ? path : `${path}/${change.holder}`;
    if (tree.read(holder) === undefined) make(tree, holder, writer, made);
    tree.put(holder, changedProperties(tree.read(holder)?.properties ?? {}, change));
  }
  return {
    status: created ? 201 : 200,
    message: created ? 'Created' : 'OK',
    path,
    title: created ? `Content created ${path}` : `Content modified ${path}`,
    created,
    changes: [
      ...[...made].map((argument) => ({ type: 'created' as const, argument })),
      ...changes.map(({ holder, name, values }) => ({
        type: values.length === 0 ? ('deleted' as const) : ('modified' as const),
        argument: [path, ...(holder === '' ? [] : [holder]), name].join('/'),
      })),
    ],
  };
}

/** A missing resource and its missing ancestors; below a page node a `jcr:content` is page content, as in the field. */
function make(tree: WritableTree, path: string, writer: Writer, made: Set<string>): void {
  const parent = parentOf(path);
  if (parent !== '/' && tree.read(parent) === undefined) make(tree, parent, writer, made);
  const content = path.endsWith('/jcr:content');
  tree.put(path, {
    'jcr:primaryType': content ? 'cq:PageContent' : 'nt:unstructured',
    ...(content ? { 'jcr:created': writer.at, 'jcr:createdBy': writer.email } : {}),
  });
  made.add(path);
}

function remove(tree: WritableTree, path: string, { email }: Writer): SlingOutcome {
  const title = `Content removed ${path}`;
  if (tree.read(path) === undefined)
    return { status: 404, message: `There is no resource at ${path}.`, path, title: `Error while processing ${path}` };
  const obstacle = obstacleTo(tree, path, email);
  if (obstacle !== undefined) return refusedBy(obstacle, path);
  tree.remove(path);
  return { status: 200, message: 'OK', path, title, changes: [{ type: 'deleted', argument: path }] };
}
