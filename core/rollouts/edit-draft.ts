import { Member } from '@repoless/contract/access.ts';
import { Mapping } from '@repoless/contract/mappings.ts';
import { ProfileName } from '@repoless/contract/names.ts';
import { Edit } from '@repoless/contract/rollout.ts';
import { Headers, isSettableHeader, RESERVED_HEADER } from '@repoless/contract/site-parts.ts';
import { pointerTo } from '../history/json-values.ts';
import { EDIT_VARIABLES, type EditVariables, replaceVariables } from './edit-variables.ts';
import { readJson } from './read-json.ts';

export const EDIT_KINDS = ['header', 'headerRemoved', 'member', 'memberRemoved', 'mapping', 'mappingRemoved', 'profile', 'other'] as const;
export type EditKind = (typeof EDIT_KINDS)[number];
export type EditField = 'pattern' | 'name' | 'value' | 'role' | 'member' | 'content' | 'public' | 'profile' | 'pointer' | 'action' | 'json';

/** The fields of each kind of edit, in form order. */
export const EDIT_FIELDS = {
  header: ['pattern', 'name', 'value'],
  headerRemoved: ['pattern', 'name'],
  member: ['role', 'member'],
  memberRemoved: ['role', 'member'],
  mapping: ['content', 'public'],
  mappingRemoved: ['content', 'public'],
  profile: ['profile'],
  other: ['pointer', 'action', 'json'],
} as const satisfies Record<EditKind, readonly EditField[]>;

/** An edit in a form. Fields of other kinds are preserved and ignored. */
export interface EditDraft {
  readonly id: number;
  readonly kind: EditKind;
  readonly values: Readonly<Record<EditField, string>>;
}

/** An empty field, invalid JSON with the line of the error, or a sentence of the contract. */
export type FieldProblem =
  { readonly kind: 'needed' } | { readonly kind: 'line'; readonly line: number } | { readonly kind: 'sentence'; readonly sentence: string };
export type DraftProblems = Readonly<Partial<Record<EditField, FieldProblem>>>;
export type ReadDraft = { readonly edit: Edit; readonly problems?: never } | { readonly edit?: never; readonly problems: DraftProblems };

const NEEDED: FieldProblem = { kind: 'needed' };

export function newDraft(id: number, kind: EditKind = 'header'): EditDraft {
  const values = { pattern: '/**', name: '', value: '', role: 'admin', member: '', content: '{contentRoot}/', public: '/' };
  return { id, kind, values: { ...values, profile: '', pointer: '', action: 'set', json: '' } };
}

/** The edit of a draft, or the errors of its fields, checked with the variables of one site. Pure. */
export function readDraft({ kind, values }: EditDraft, example: EditVariables): ReadDraft {
  const { pattern, name, value, role, member, content, public: open, profile, pointer, action } = trimmed(values);
  const filled = (text: string) => filledIn(text, example);
  switch (kind) {
    case 'header':
      return parsedEdit(
        { op: 'add', path: pointerTo('headers', pattern), value: { key: name, value }, by: 'key' },
        { ...needed({ pattern, name, value }), ...headerProblems(filled(pattern), filled(name), filled(value)) },
      );
    case 'headerRemoved': {
      const path = pointerTo('headers', pattern);
      const problems = needed({ pattern });
      return parsedEdit(name === '' ? { op: 'remove', path } : { op: 'remove', path, value: { key: name }, by: 'key' }, problems);
    }
    case 'member':
    case 'memberRemoved':
      return parsedEdit(
        { op: kind === 'member' ? 'add' : 'remove', path: pointerTo('access', 'admin', 'role', role), value: member },
        { ...needed({ member }), ...sentence('member', Member, filled(member)) },
      );
    case 'mapping':
    case 'mappingRemoved': {
      const [from, to] = [filled(content), filled(open)];
      return parsedEdit(
        { op: kind === 'mapping' ? 'add' : 'remove', path: pointerTo('public', 'paths', 'mappings'), value: `${content}:${open}` },
        {
          ...needed({ content, public: open }),
          ...sentence('content', Mapping, from === undefined ? undefined : `${from}:/`),
          ...sentence('public', Mapping, to === undefined ? undefined : `/content/:${to}`),
        },
      );
    }
    case 'profile':
      return parsedEdit(
        { op: 'set', path: pointerTo('extends', 'profile'), value: profile },
        { ...needed({ profile }), ...sentence('profile', ProfileName, profile) },
      );
    case 'other':
      return other(pointer, action, values.json.trim());
    default:
      return kind satisfies never;
  }
}

function other(path: string, action: string, text: string): ReadDraft {
  if (action === 'remove' && text === '') return parsedEdit({ op: 'remove', path }, needed({ pointer: path }));
  const json = readJson(text);
  if (json.state === 'broken')
    return { problems: { ...needed({ pointer: path }), json: text === '' ? NEEDED : { kind: 'line', line: json.line } } };
  return parsedEdit({ op: action, path, value: json.value }, needed({ pointer: path }));
}

interface WrittenEdit {
  readonly op: string;
  readonly path: string;
  readonly value?: unknown;
  readonly by?: string;
}

/** An error of the complete edit is shown at the field that can correct it. */
function parsedEdit(edit: WrittenEdit, problems: DraftProblems): ReadDraft {
  if (Object.keys(problems).length > 0) return { problems };
  const parsed = Edit.safeParse(edit);
  if (parsed.success) return { edit: parsed.data };
  const message = parsed.error.issues[0]?.message ?? '';
  const field: EditField = edit.path.startsWith('/headers/') ? 'pattern' : 'pointer';
  return { problems: { [field]: { kind: 'sentence', sentence: message } } };
}

function needed(fields: Readonly<Partial<Record<EditField, string>>>): DraftProblems {
  return Object.fromEntries(Object.entries(fields).flatMap(([field, text]) => (text === '' ? [[field, NEEDED]] : [])));
}

/** Takes texts with their variables replaced; undefined if the example has no value for one. Missing fields have no error. */
function headerProblems(pattern: string | undefined, key: string | undefined, value: string | undefined): DraftProblems {
  const first = (of: string, header: { readonly key: string; readonly value: string }): string | undefined =>
    Headers.safeParse({ [of]: [header] }).error?.issues[0]?.message;
  const problems = {
    pattern: pattern ? first(pattern, { key: 'x', value: '' }) : undefined,
    name: key ? (first('/**', { key, value: '' }) ?? (isSettableHeader(key) ? undefined : RESERVED_HEADER)) : undefined,
    value: value ? first('/**', { key: 'x', value }) : undefined,
  };
  return Object.fromEntries(
    Object.entries(problems).flatMap(([field, message]) =>
      message === undefined ? [] : [[field, { kind: 'sentence', sentence: message }]],
    ),
  );
}

interface EditReader {
  safeParse(value: unknown): { readonly error?: { readonly issues: readonly { readonly message: string }[] } | undefined };
}

function sentence(field: EditField, schema: EditReader, text: string | undefined): DraftProblems {
  if (text === undefined || text === '') return {};
  const message = schema.safeParse(text).error?.issues[0]?.message;
  return message === undefined ? {} : { [field]: { kind: 'sentence', sentence: message } };
}

function trimmed(values: EditDraft['values']): EditDraft['values'] {
  const trim = (field: EditField): string => values[field].trim();
  return {
    pattern: trim('pattern'),
    name: trim('name'),
    value: trim('value'),
    role: trim('role'),
    member: trim('member'),
    content: trim('content'),
    public: trim('public'),
    profile: trim('profile'),
    pointer: trim('pointer'),
    action: trim('action'),
    json: values.json,
  };
}

/** A text with its variables replaced. Undefined if one has no value: then the service reports the error. */
function filledIn(text: string, values: EditVariables): string | undefined {
  let isKnown = true;
  const filled = replaceVariables(text, (name) => {
    const variable = EDIT_VARIABLES.find((one) => one === name);
    const value = variable === undefined ? undefined : values[variable];
    if (value === undefined) isKnown = false;
    return value ?? '';
  });
  return isKnown ? filled : undefined;
}
