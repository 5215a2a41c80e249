import type { Properties, Value } from './resource.ts';

/** What a Sling POST asks of one property. */
export interface PropertyChange {
  /** Path of the resource that holds it, relative to the posted one; `''` for the posted one itself. */
  readonly holder: string;
  readonly name: string;
  readonly values: readonly string[];
  readonly remove: boolean;
  readonly typeHint?: string;
}

/** Reads `./name`, `./name@Delete`, `./name@TypeHint`, `./name@IgnoreBlanks`. Where one name begins with `./`, others mean nothing. */
export function propertyChanges(form: URLSearchParams): PropertyChange[] {
  const names = [...new Set(form.keys())].filter((name) => !name.startsWith(':') && name !== '_charset_');
  const prefixed = names.some((name) => name.startsWith('./'));
  const relevant = prefixed ? names.filter((name) => name.startsWith('./')) : names;
  const properties = new Set(relevant.map((name) => name.replace(SUFFIX, '')));
  return [...properties].flatMap((field) => {
    const values = form.getAll(field).filter((value) => value !== '' || !form.has(`${field}@IgnoreBlanks`));
    const typeHint = form.get(`${field}@TypeHint`);
    const remove = form.has(`${field}@Delete`);
    if (values.length === 0 && !remove) return [];
    const path = field.replace(/^\.\//, '');
    const slash = path.lastIndexOf('/');
    const place = { holder: path.slice(0, Math.max(slash, 0)), name: path.slice(slash + 1) };
    return [{ ...place, values, remove, ...(typeHint === null ? {} : { typeHint }) }];
  });
}

/** The properties with one change made. Throws `FormProblem` where a value does not fit its type. */
export function changedProperties(properties: Properties, change: PropertyChange): Properties {
  const { [change.name]: before, ...others } = properties;
  const prefix = /^([^:]*):/.exec(change.name)?.[1];
  if (prefix !== undefined && !NAMESPACES.has(prefix))
    throw new FormProblem(`No namespace is registered for the prefix "${prefix}" of ${change.name}.`);
  if (change.values.length === 0) return others;
  return { ...properties, [change.name]: typed(change, before) };
}

/** A form that cannot be carried out. */
export class FormProblem extends Error {}

function typed(change: PropertyChange, before: Value | undefined): Value {
  const hint = change.typeHint ?? hintOf(before);
  const values = change.values.map((text) => convert(text, hint.replace('[]', ''), change.name));
  const [only] = values;
  return hint.endsWith('[]') || values.length > 1 || only === undefined ? values : only;
}

/** Without a hint a property keeps the type that it has. */
function hintOf(before: Value | undefined): string {
  if (Array.isArray(before)) return 'String[]';
  return typeof before === 'boolean' ? 'Boolean' : typeof before === 'number' ? 'Long' : 'String';
}

function convert(text: string, type: string, name: string): string | number | boolean {
  switch (type) {
    case 'Boolean':
      return text.toLowerCase() === 'true';
    case 'Long':
    case 'Double':
    case 'Decimal':
      if (text.trim() === '' || !Number.isFinite(Number(text))) throw new FormProblem(`"${text}" is no ${type} for ${name}.`);
      return Number(text);
    default:
      return text;
  }
}

/** A property name may carry the prefix of a registered namespace alone. */
const NAMESPACES: ReadonlySet<string> = new Set(['jcr', 'nt', 'mix', 'sling', 'cq', 'dam', 'dc', 'granite', 'wcm']);
const SUFFIX = /@(Delete|TypeHint|IgnoreBlanks|DefaultValue|UseDefaultWhenMissing|Patch|MoveFrom|CopyFrom|ValueFrom)$/;
