import type { WritableTree } from './content-store.ts';
import { NAMESPACES } from './resource-address.ts';
import { nameOf, parentOf, textOf } from './resource.ts';
import type { Properties } from './resource.ts';
import type { Change } from './sling-answer.ts';
import { checkName, FormProblem } from './sling-form.ts';
import type { Writer } from './writer.ts';

/** The type of a node that takes any property and any node. */
export const PLAIN = 'nt:unstructured';

export interface Making {
  readonly done: Change[];
  /** The primary types that the form names, by the paths of their nodes. */
  readonly types: ReadonlyMap<string, string | undefined>;
}

/** A missing resource and its missing ancestors. */
export function make(tree: WritableTree, path: string, writer: Writer, making: Making): void {
  const parent = parentOf(path);
  checkName(nameOf(path), 'node');
  if (parent !== '/' && tree.read(parent) === undefined) make(tree, parent, writer, making);
  const type = making.types.get(path) ?? childType(tree.read(parent)?.properties ?? {}, nameOf(path));
  if (!NAMESPACES.has(/^[a-z]+(?=:.)/.exec(type)?.[0] ?? '')) throw new FormProblem('repository', `${type} is not a node type.`);
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
