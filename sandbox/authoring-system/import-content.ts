import { randomInt } from 'node:crypto';
import { z } from 'zod';
import { isRefused, visibleTo, type Writer } from './access-control.ts';
import type { Value, WritableTree } from './content-store.ts';
import { type Change, conflicting, failed, type SlingOutcome } from './sling-answer.ts';
import { checkName, FormProblem, make } from './sling-form.ts';

/** A guard of this stand-in, in addition to the size of a body (routes.ts). */
const DEEPEST = 50;

/**
 * `:operation=import` of JSON: creates a resource named by `:name` or derived from `:nameHint`, otherwise sets properties and children of
 * the posted one. `:replace` is for nodes, `:replaceProperties` for properties of nodes that stay. Throws `FormProblem`.
 */
export function importContent(tree: WritableTree, path: string, form: URLSearchParams, writer: Writer): SlingOutcome {
  const isTrue = (field: string) => form.get(field)?.toLowerCase() === 'true';
  const changes: Change[] = [];
  const filling: Filling = { tree, writer, changes, replace: isTrue(':replace'), replaceProperties: isTrue(':replaceProperties') };
  if (tree.read(path) !== undefined && visibleTo(tree, writer.email).read(path) === undefined)
    return failed(path, 'This tree does not exist', 'java.lang.IllegalStateException');
  if (isRefused(tree, path, writer)) return conflicting(path);
  if (tree.read(path) === undefined) make(tree, path, writer, { done: changes, types: new Map() });
  const wrong = (message: string): SlingOutcome => ({ status: 412, message, path, changes });
  const type = form.get(':contentType');
  if (type === null) return wrong('Required :contentType parameter is missing');
  const name = form.get(':name') ?? nameFrom(form.get(':nameHint'), (taken) => tree.read(`${path}/${taken}`) !== undefined);
  const isTaken = name !== '' && tree.read(`${path}/${name}`) !== undefined;
  if (isTaken && !filling.replace) return wrong(`Cannot import ${path}/${name}: node exists`);
  const content = form.get(':content') ?? form.get(':contentFile');
  if (content === null) return wrong('Missing content for import');
  if (type !== 'json') return failed(path, `No content reader for ${type}`, 'java.lang.NullPointerException');
  if (name === '') fill(filling, path, parsed(content), 0);
  else makeNode(filling, path, name, parsed(content), 0);
  const at = changes[0] === undefined ? path : String(changes[0].argument);
  const [status, message, done] = isTaken ? [200, 'OK', 'modified'] : [201, 'Created', 'created'];
  return { status, message, path: at, title: `Content ${done} ${at}`, created: !isTaken, changes };
}

interface Filling {
  readonly tree: WritableTree;
  readonly writer: Writer;
  readonly changes: Change[];
  readonly replace: boolean;
  readonly replaceProperties: boolean;
}

function makeNode(filling: Filling, parent: string, name: string, content: Content, depth: number): void {
  const { tree, writer, changes, replace } = filling;
  const path = `${parent}/${name}`;
  checkName(name, 'node');
  if (depth > DEEPEST || isRefused(tree, path, writer)) throw new FormProblem('repository', `${path} can’t be written.`);
  if (replace) tree.remove(path);
  if (tree.read(path) === undefined) {
    const { 'jcr:primaryType': type, 'jcr:mixinTypes': mixins } = content;
    make(tree, path, writer, { done: changes, types: new Map([[path, typeof type === 'string' ? type : undefined]]) });
    if (mixins !== undefined) tree.put(path, { ...tree.read(path)?.properties, 'jcr:mixinTypes': valueOf(mixins) });
  }
  fill(filling, path, content, depth);
}

/** Properties and children in the order of the JSON, as Sling reads them. */
function fill(filling: Filling, path: string, content: Content, depth: number): void {
  const { tree, changes, replaceProperties } = filling;
  for (const [name, value] of Object.entries(content)) {
    if (OWN.has(name) || value === null) continue;
    const properties = tree.read(path)?.properties ?? {};
    if (typeof value === 'object' && !Array.isArray(value)) makeNode(filling, path, name, Content.parse(value), depth + 1);
    else if (!Object.hasOwn(properties, name) || replaceProperties) {
      // The rules for names are stricter than in a form.
      checkName(name, 'node');
      tree.put(path, { ...properties, [name]: valueOf(value) });
      changes.push({ type: 'created', argument: `${path}/${name}` });
    }
  }
}

/** Properties that the repository sets itself. */
const OWN: ReadonlySet<string> = new Set(
  'primaryType mixinTypes uuid created createdBy baseVersion predecessors successors isCheckedOut'.split(' ').map((name) => `jcr:${name}`),
);

const Content = z.record(z.string(), z.unknown());
type Content = z.output<typeof Content>;
const Plain = z.union([z.string(), z.number(), z.boolean()]);

/** Throws `FormProblem` if it is not an object; an empty text is an empty object. */
function parsed(text: string): Content {
  try {
    return text === '' ? {} : Content.parse(JSON.parse(text));
  } catch {
    throw new FormProblem('repository', 'The content is not valid JSON.');
  }
}

/** The values of a list have one type; anything in it that is not a value becomes its JSON. */
function valueOf(value: unknown): Value {
  if (!Array.isArray(value)) {
    const { data } = Plain.safeParse(value);
    if (data === undefined) throw new FormProblem('repository', 'An object is not a value.');
    return data;
  }
  const values = value.map((one) => Plain.safeParse(one).data ?? JSON.stringify(one));
  if (new Set(values.map(kindOf)).size > 1) throw new FormProblem('repository', 'The values are of several kinds.');
  return values;
}

function kindOf(value: string | number | boolean): string {
  return typeof value === 'number' && !Number.isInteger(value) ? 'fraction' : typeof value;
}

/** The name that Sling derives from a hint, followed by a number if it exists. */
function nameFrom(hint: string | null, isTaken: (name: string) => boolean): string {
  if (hint === null) return '';
  const letters = hint
    .toLowerCase()
    .replaceAll(/[^a-z0-9_]+/g, '_')
    .replaceAll(/_+/g, '_');
  const name = (/^\d/.test(letters) ? `_${letters}` : letters).slice(0, 20);
  return isTaken(name) ? `${name}_${randomInt(2 ** 31)}` : name;
}
