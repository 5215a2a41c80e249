import { randomInt } from 'node:crypto';
import { z } from 'zod';
import { type Writer, isRefused, visibleTo } from './access-control.ts';
import { nameOf, parentOf, type Properties, textOf, type Value, type WritableTree } from './content-store.ts';
import { type Change, NAMESPACES, conflicting, failed, type SlingOutcome } from './sling-answer.ts';

/** What a Sling POST requests for one property. */
export interface PropertyChange {
  /** The path in the form without a leading `./`: relative to the posted resource, or absolute. */
  readonly field: string;
  /** None: an empty field, which removes the property; undefined: no field at all. */
  readonly values: readonly string[] | undefined;
  readonly remove: boolean;
  readonly typeHint?: string;
}

/**
 * Parses `./name`, `./name@Delete`, `./name@TypeHint`, `./name@IgnoreBlanks`, `./name@ValueFrom`, `./name@DefaultValue` and
 * `./name@UseDefaultWhenMissing`. If one name starts with `./`, those that start with neither that nor `../` nor `/` are ignored. Throws
 * `FormProblem` for a suffix that Sling supports and this stand-in does not.
 */
export function propertyChanges(form: URLSearchParams): PropertyChange[] {
  const names = [...new Set(form.keys())].filter((name) => !name.startsWith(':') && name !== '_charset_');
  const prefixed = names.some((name) => name.startsWith('./'));
  const relevant = prefixed ? names.filter((name) => /^(\.{1,2})?\//.test(name)) : names;
  const absent = relevant.find((name) => ABSENT.test(name));
  if (absent !== undefined) throw new FormProblem('repository', `This stand-in does not know ${absent}.`);
  const properties = new Set(relevant.map((name) => name.replace(SUFFIX, '')));
  return [...properties].flatMap((field) => {
    const values = valuesOf(form, field);
    const typeHint = form.get(`${field}@TypeHint`);
    const remove = form.has(`${field}@Delete`);
    if (values === undefined && !remove) return [];
    return [{ field: field.replace(/^\.\//, ''), values, remove, ...(typeHint === null ? {} : { typeHint }) }];
  });
}

/** A single empty value removes the property, or sets its default; among several values each counts. */
function valuesOf(form: URLSearchParams, field: string): readonly string[] | undefined {
  const [from, ...others] = form.getAll(`${field}@ValueFrom`);
  const values = form.getAll(from !== undefined && others.length === 0 && form.has(from) ? from : field);
  const preset = form.get(`${field}@DefaultValue`);
  if (values.length === 0) return preset !== null && form.has(`${field}@UseDefaultWhenMissing`) ? [preset] : undefined;
  const ignoresBlanks = form.has(`${field}@IgnoreBlanks`);
  if (values.length === 1 && values[0] === '') return ignoresBlanks ? undefined : preset === null ? [] : [preset];
  return ignoresBlanks ? values.filter((value) => value !== '') : values;
}

/**
 * A property's new value. Throws `FormProblem` if a value does not fit the type of the hint or, without a hint, the property's current
 * type.
 */
export function typedValue(texts: readonly string[], typeHint: string | undefined, before: Value | undefined): Value {
  const hint = typeHint ?? typeOf(before);
  const values = texts.map((text) => convert(text, hint.replace('[]', '')));
  const [only] = values;
  const isMulti = hint.endsWith('[]') || Array.isArray(before) || values.length > 1;
  return isMulti || only === undefined ? values : only;
}

/** A form that cannot be executed: because of a value, an argument, or anything else that the repository refuses. */
export class FormProblem extends Error {
  readonly about: 'value' | 'argument' | 'repository';

  constructor(about: FormProblem['about'], message: string) {
    super(message);
    this.about = about;
  }
}

function typeOf(before: Value | undefined): string {
  const [sample] = [before].flat();
  if (typeof sample === 'boolean') return 'Boolean';
  if (typeof sample === 'number') return Number.isInteger(sample) ? 'Long' : 'Double';
  return typeof sample === 'string' && isShownDate(sample) ? 'Date' : 'String';
}

function convert(text: string, type: string): string | number | boolean {
  switch (type) {
    case 'Boolean':
      return text.toLowerCase() === 'true';
    case 'Long':
      if (!/^[+-]?\d+$/.test(text)) throw new FormProblem('value', `Invalid value ${text} for type Long`);
      return Number(text);
    case 'Double':
      if (text.trim() === '' || !Number.isFinite(Number(text))) throw new FormProblem('value', `Invalid value ${text} for type Double`);
      return Number(text);
    case 'Date': {
      const time = isShownDate(text) || /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
      if (Number.isNaN(time)) throw new FormProblem('value', `Invalid date ${text}`);
      return showDate(new Date(time));
    }
    default:
      return text;
  }
}

/** Refuses a name that no node or property can have. A property with an unregistered prefix is stored unchanged, a node is refused. */
export function checkName(name: string, kind: 'node' | 'property', about: FormProblem['about'] = 'repository'): void {
  const prefix = /^([^:]*):/.exec(name)?.[1];
  const isForeign = kind === 'node' && prefix !== undefined && !NAMESPACES.has(prefix);
  const isMalformed = /^\.{0,2}$|[[\]*|/]|^\s|\s$/.test(name);
  if (isMalformed || isForeign) throw new FormProblem(about, `Invalid name or path: ${name}`);
}

const SUFFIX = /@(Delete|TypeHint|IgnoreBlanks|DefaultValue|UseDefaultWhenMissing|ValueFrom)$/;
/** Suffixes that are not needed here; ignoring them would store something different from Sling. */
const ABSENT = /@(Patch|MoveFrom|CopyFrom)$/;

/** The type of a node that accepts any property and any node. */
export const PLAIN = 'nt:unstructured';

interface Making {
  readonly done: Change[];
  /** The primary types in the form, by node path. */
  readonly types: ReadonlyMap<string, string | undefined>;
}

/** Creates a resource and its missing ancestors. */
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

/** The type of a node for which the form names none: children of a folder are folders of its kind, a page's content is page content. */
function childType(parent: Properties, name: string): string {
  const type = textOf(parent, 'jcr:primaryType') ?? '';
  if (type === 'cq:Page' && name === 'jcr:content') return 'cq:PageContent';
  return ['sling:Folder', 'sling:OrderedFolder'].includes(type) ? type : PLAIN;
}

/** A date as Sling's JSON shows it: `Mon Nov 23 2026 02:42:38 GMT+0000`. The stand-in stores dates in this form, in UTC. */
export function showDate(date: Date): string {
  const [day, dayOfMonth, month, year, time] = date.toUTCString().replace(',', '').split(' ');
  return `${day} ${month} ${dayOfMonth} ${year} ${time} GMT+0000`;
}

function isShownDate(text: string): boolean {
  return /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} \d{2} \d{4} \d{2}:\d{2}:\d{2} GMT[+-]\d{4}$/.test(text);
}

/** A guard of this stand-in, in addition to the size of a body (start-authoring-system.ts). */
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
