import { SITE_YAML_NAMES } from '@repoless/contract/site-yaml.ts';
import type { AccessKind } from '../access/access-kind.ts';
import { describeChange } from '../history/describe-change.ts';
import type { StoredDocument } from '../history/history-port.ts';
import { at, isObject, without } from '../history/json-place.ts';
import { subjectPath } from '../history/subject.ts';
import { drawnAt } from './drawn-at.ts';
import { mergeValue, overlaps } from './merge.ts';
import { SECTIONS } from './sections.ts';
import type { SectionName } from './sections.ts';

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
