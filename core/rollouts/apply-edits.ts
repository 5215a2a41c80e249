import { jsonPointer, pointerSegments } from '@repoless/contract/errors.ts';
import { sameValue } from '@repoless/contract/json.ts';
import { contentRoot } from '@repoless/contract/mappings.ts';
import type { Edit, EditedPart } from '@repoless/contract/rollout.ts';
import { SiteInput } from '@repoless/contract/site.ts';
import { bodyInvalid, Refusal } from '@repoless/contract/refusal.ts';
import { problemsOf } from '@repoless/contract/value-problems.ts';
import { editVariables, withVariables } from './edit-variables.ts';

export interface EditedSite {
  readonly org: string;
  readonly site: string;
  readonly config: SiteInput;
  readonly aggregate: Pick<SiteInput, 'public'>;
}

/** A changed part of a site, before and after; absent if it did not exist. */
export interface ChangedPart {
  readonly before?: unknown;
  readonly after?: unknown;
}

export interface Edited {
  /** The site's new own configuration. */
  readonly config: SiteInput;
  /** The changed parts by name; `after` as it was sent: see `partsAsStored`. */
  readonly parts: Readonly<Record<string, ChangedPart>>;
}

/**
 * Applies edits to a site (docs/contract.md 3.17). A list from the site's profile is copied to the site before it is changed, because a
 * list comes either from the site or from the profile; headers are merged. Throws BODY_INVALID for edits that don't fit.
 */
export function applyEdits(site: EditedSite, edits: readonly Edit[]): Edited {
  const values = editVariables(site.org, site.site, contentRoot(site.aggregate.public?.paths?.mappings ?? []));
  const config: Tree = structuredClone(asTree(site.config));
  const touched = new Set<string>();
  for (const edit of edits) {
    const filled = withVariables(edit, values);
    const segments = pointerSegments(filled.path);
    const [part = ''] = segments;
    touched.add(part);
    applyEdit(config, asTree(site.aggregate), segments, filled);
  }
  const parts: Record<string, ChangedPart> = {};
  const next: Record<string, unknown> = { ...site.config };
  for (const part of touched) {
    const before: unknown = Reflect.get(site.config, part);
    const after = parsedPart(part, config[part]);
    if (sameValue(before, after)) continue;
    parts[part] = { ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) };
    if (after === undefined) delete next[part];
    else next[part] = after;
  }
  return { config: asInput(next), parts };
}

/** The parts as they were stored, because the service completes what it receives. */
export function partsAsStored(parts: Readonly<Record<string, ChangedPart>>, config: object): Record<string, ChangedPart> {
  const stored = Object.entries(parts).map(([part, { after: _sent, ...rest }]) => {
    const after: unknown = Reflect.get(config, part);
    return [part, after === undefined ? rest : { ...rest, after }] as const;
  });
  return Object.fromEntries(stored);
}

/**
 * The site with its previous parts. Undefined if one of them differs from what the rollout made it: someone changed it since. `complete`:
 * how a sent part is stored, for parts that are known only as they were sent.
 */
export function withoutEdits(
  { config }: Pick<EditedSite, 'config'>,
  parts: Readonly<Record<string, ChangedPart>>,
  complete: (part: string, value: unknown) => unknown,
): SiteInput | undefined {
  const next: Record<string, unknown> = { ...config };
  for (const [part, { before, after }] of Object.entries(parts)) {
    const current: unknown = Reflect.get(config, part);
    if (sameValue(current, before)) continue;
    if (!sameValue(current, after) && !sameValue(current, complete(part, after))) return undefined;
    if (before === undefined) delete next[part];
    else next[part] = before;
  }
  return asInput(next);
}

/** Of many later versions only the latest are named: a rollout stores the sentence for thousands of sites. */
export const NAMED_VERSIONS = 5;

/** A part that the rollout changed was changed again. */
export class ChangedSince extends Refusal {
  /** `later`: the versions after the one that the rollout stored, newest first. */
  constructor(parts: readonly string[], later: readonly { readonly version: number; readonly user?: string | undefined }[]) {
    const since = later.slice(0, NAMED_VERSIONS);
    const [latest] = since;
    const others = [...new Set(since.map(({ user }) => user))];
    const who = (others.length === 1 ? latest?.user : undefined) ?? 'Somebody';
    const each = since.map(({ version, user }) => `version ${version}${user === undefined ? '' : ` by ${user}`}`);
    const versions = others.length === 1 && latest !== undefined ? `version ${latest.version}` : each.join(', ');
    const known = versions === '' ? '' : ` (${versions})`;
    super('PRECONDITION_FAILED', `${who} has since changed ${parts.join(', ')} of this site${known}, so the site was not changed.`, {
      data: {
        parts: parts.join(', '),
        ...(since.length > 0 && { versions: since.map(({ version }) => version).join(', ') }),
        ...(others.some((user) => user !== undefined) && { users: others.filter((user) => user !== undefined).join(', ') }),
      },
    });
  }
}

type Tree = Record<string, unknown>;

function applyEdit(config: Tree, aggregate: Tree, segments: readonly string[], edit: Edit): void {
  const above = segments.slice(0, -1);
  const name = segments.at(-1) ?? '';
  if (edit.op === 'remove' && edit.value === undefined) {
    const parent = found(config, above);
    if (isTree(parent) && Object.hasOwn(parent, name)) delete parent[name];
    return;
  }
  if (edit.op === 'set') {
    created(config, above)[name] = edit.value;
    return;
  }
  const isHeader = segments[0] === 'headers';
  const list = found(config, segments) ?? (isHeader ? undefined : found(aggregate, segments)) ?? [];
  if (!Array.isArray(list)) throw misfit(segments, 'is not a list. Set the value instead.');
  const next = edit.op === 'add' ? added(list, edit, isHeader) : removed(list, edit, isHeader);
  if (sameValue(list, next)) return;
  if (next.length === 0 && isHeader) delete created(config, above)[name];
  else created(config, above)[name] = next;
}

function added(list: readonly unknown[], { value, by }: Extract<Edit, { op: 'add' }>, isHeader: boolean): unknown[] {
  if (list.some((item) => sameValue(item, value))) return [...list];
  if (by === undefined) return [...list, value];
  const at = list.findIndex((item) => isNamed(item, value, by, isHeader));
  return at < 0 ? [...list, value] : list.with(at, value);
}

function removed(list: readonly unknown[], { value, by }: Extract<Edit, { op: 'remove' }>, isHeader: boolean): unknown[] {
  return list.filter((item) => !(by === undefined ? sameValue(item, value) : isNamed(item, value, by, isHeader)));
}

/** Whether two items have the same value for a property. Header names are case-insensitive. */
function isNamed(item: unknown, other: unknown, by: string, isHeader: boolean): boolean {
  const [one, two] = [item, other].map((found) => {
    const known: unknown = isTree(found) && Object.hasOwn(found, by) ? found[by] : undefined;
    return isHeader && typeof known === 'string' ? known.toLowerCase() : known;
  });
  return one !== undefined && sameValue(one, two);
}

function found(tree: unknown, segments: readonly string[]): unknown {
  return segments.reduce<unknown>((at, name) => (isTree(at) && Object.hasOwn(at, name) ? at[name] : undefined), tree);
}

function created(tree: Tree, segments: readonly string[]): Tree {
  return segments.reduce<Tree>((at, name, index) => {
    const current = Object.hasOwn(at, name) ? at[name] : undefined;
    if (isTree(current)) return current;
    if (current !== undefined) throw misfit(segments.slice(0, index + 1), 'is not an object. Set it as a whole.');
    const below: Tree = {};
    at[name] = below;
    return below;
  }, tree);
}

function parsedPart(part: string, value: unknown): unknown {
  if (value === undefined) return undefined;
  // Safe: the contract allows no other parts to be edited.
  const schema = SiteInput.shape[part as EditedPart];
  const errors = problemsOf(schema, value, [part]);
  const [first] = errors;
  if (first === undefined) return schema.parse(value);
  throw new Refusal('BODY_INVALID', `${first.pointer}: ${first.detail}`, { errors });
}

function misfit(segments: readonly string[], sentence: string): Refusal {
  const pointer = jsonPointer([...segments]);
  const detail = `${pointer} ${sentence}`;
  return bodyInvalid(pointer, detail);
}

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

// Safe: a document of the contract is a JSON object.
function asTree(document: object): Tree {
  return document as unknown as Tree;
}

// Safe: the changed parts were parsed, the others are stored ones.
function asInput(tree: Readonly<Record<string, unknown>>): SiteInput {
  return tree as SiteInput;
}
