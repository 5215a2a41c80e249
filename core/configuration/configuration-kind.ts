import { SITE_YAML_NAMES } from '@repoless/contract/site-yaml.ts';
import type { AccessKind } from '../access/access-kind.ts';
import { describeChange } from '../history/describe-change.ts';
import type { StoredDocument } from '../history/history-port.ts';
import { at, isObject, pointerTo, without } from '../history/json-place.ts';
import { subjectPath } from '../history/subject.ts';
import { type FormNode, variantOf } from './form-node.ts';
import { mergeValue, overlaps } from './merge.ts';
import { FORMS, type SectionName, SECTIONS } from './sections.ts';

/** The parts of a site that have a form, as they shall be. */
export type ConfigurationDraft = Readonly<Partial<Record<SectionName, unknown>>>;

/** The configuration of a site as it is edited by its parts, and stored whole by one call: one version, one preview, one undo. */
export function configurationKind(organization: string, site: string): AccessKind<ConfigurationDraft> {
  return {
    address: `${subjectPath({ kind: 'site', organization, name: site })}.json`,
    isPart: false,
    draftOf,
    valueOf: (value, draft) => ({ ...documentOf(without(value, ...SECTIONS)), ...emptied(value), ...draftOf(draft) }),
    merge: (base, mine, theirs) => eachSection((name) => mergeValue(at(base, name), at(mine, name), at(theirs, name))),
    overlaps,
    changes: (before, after) => describeChange(documentOf(before), documentOf(after)),
    entryAt: drawnAt,
  };
}

/** The parts of a site that have a form. */
export function draftOf(value: unknown): ConfigurationDraft {
  return eachSection((name) => at(value, name));
}

/** The draft with another part; undefined removes it. */
export function withSection(draft: ConfigurationDraft, name: SectionName, value: unknown): ConfigurationDraft {
  return eachSection((one) => (one === name ? value : draft[one]));
}

function eachSection(valueOf: (name: SectionName) => unknown): ConfigurationDraft {
  const entries = SECTIONS.map((name) => [name, valueOf(name)] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/** A file that a document does not name is kept (docs/contract.md 3.14): one that shall go is sent empty. */
function emptied(value: unknown): StoredDocument {
  return Object.fromEntries(SITE_YAML_NAMES.filter((name) => at(value, name) !== undefined).map((name) => [name, { yaml: '' }]));
}

function documentOf(value: unknown): StoredDocument {
  return isObject(value) ? value : {};
}

/**
 * The field that shows an error at a place (RFC 6901): the place itself, or the nearest visible one around it. Undefined if the place is in no
 * part with a form.
 */
export function drawnAt(draft: ConfigurationDraft, pointer: string): string | undefined {
  const [name, ...keys] = keysOfPointer(pointer);
  const section = SECTIONS.find((one) => one === name);
  if (section === undefined) return undefined;
  const place: string[] = [section];
  let node: FormNode | undefined = FORMS[section];
  let value: unknown = draft[section];
  for (const key of keys) {
    node = childOf(node, value, key);
    if (node === undefined) break;
    value = Array.isArray(value) ? (value[Number(key)] as unknown) : at(value, key);
    place.push(key);
  }
  return pointerTo(...place);
}

function childOf(node: FormNode, value: unknown, key: string): FormNode | undefined {
  switch (node.kind) {
    case 'list':
      return Array.isArray(value) && Number(key) < value.length ? node.item : undefined;
    case 'record':
      return isObject(value) && Object.hasOwn(value, key) ? node.value : undefined;
    case 'object':
      return node.fields.find(({ name }) => name === key)?.node;
    case 'variants': {
      if (key === node.by) return { kind: 'text' };
      const variant = variantOf(node, at(value, node.by));
      return variant === undefined ? undefined : childOf(variant.node, value, key);
    }
    case 'text':
    case 'number':
    case 'switch':
    case 'choice':
    case 'choices':
    case 'json':
      return undefined;
    default:
      return node satisfies never;
  }
}

function keysOfPointer(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
}
