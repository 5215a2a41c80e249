import { jsonPointer } from '#contract/errors.ts';
import type { Permission } from '#contract/permissions.ts';
import type { Site, SiteInput } from '#contract/site.ts';
import { etagOf } from '../canonical.ts';
import type { Context } from '../context.ts';
import type { Outcome } from '../operation.ts';
import { changeRequest } from './change.ts';
import type { ConfigView } from './change.ts';
import type { DocumentCall, DocumentKind } from './document-kind.ts';

/** A part whose entries have addresses of their own: `groups/{group}.json`, `editor/{name}.json`. */
export interface EntryPart<Params> {
  readonly part: 'groups' | 'editor';
  /** As a sentence calls an entry. */
  readonly noun: string;
  nameIn(params: Params): string;
}

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };

export const GROUP: EntryPart<{ readonly group: string }> = { part: 'groups', noun: 'group', nameIn: ({ group }) => group };
export const EDITOR: EntryPart<{ readonly name: string }> = { part: 'editor', noun: 'editor configuration', nameIn: ({ name }) => name };

export function readEntry<Name, Params>(kind: DocumentKind<Name>, entry: EntryPart<Params>) {
  return async (context: Context, { params }: { readonly params: Name & Params }): Promise<Outcome> => {
    const name = entry.nameIn(params);
    const { config } = await kind.find(context, params);
    const value = entryOf(config, entry.part, name);
    if (value === undefined) throw kind.partMissing(`${entry.noun} "${name}"`, params);
    // The part may hold a text, which is sent as JSON, too.
    const text = typeof value === 'string' ? { body: JSON.stringify(value), headers: JSON_TYPE } : { body: value };
    return { result: 'done', ...text, etag: etagOf(value) };
  };
}

export function replaceEntry<Name, Params>(kind: DocumentKind<Name>, entry: EntryPart<Params>, permission: Permission) {
  return (context: Context, input: DocumentCall<Name & Params> & { readonly body: unknown }): Promise<Outcome> => {
    const { part } = entry;
    const name = entry.nameIn(input.params);
    return kind.change(context, input.params, {
      ...changeRequest(input),
      permission,
      action: `set-${part}/${name}`,
      view: entryView(part, name),
      next: (present) => withEntries(present?.config ?? {}, part, { ...present?.config[part], [name]: input.body }),
    });
  };
}

export function removeEntry<Name, Params>(kind: DocumentKind<Name>, entry: EntryPart<Params>, permission: Permission) {
  return (context: Context, input: DocumentCall<Name & Params>): Promise<Outcome> => {
    const { part } = entry;
    const name = entry.nameIn(input.params);
    return kind.change(context, input.params, {
      ...changeRequest(input),
      permission,
      action: `delete-${part}/${name}`,
      view: entryView(part, name),
      next: (present) => {
        if (entryOf(present?.config, part, name) === undefined) throw kind.partMissing(`${entry.noun} "${name}"`, input.params);
        const { [name]: _removed, ...entries } = present?.config[part] ?? {};
        return withEntries(present?.config ?? {}, part, entries);
      },
    });
  };
}

function entryView(part: EntryPart<never>['part'], name: string): ConfigView {
  return { pointer: jsonPointer([part, name]), read: (config) => entryOf(config, part, name) };
}

function entryOf(config: Pick<Site, 'groups' | 'editor'> | undefined, part: EntryPart<never>['part'], name: string): unknown {
  const entries = config?.[part] ?? {};
  return Object.hasOwn(entries, name) ? entries[name] : undefined;
}

/** The part goes with its last entry. Safe: each was parsed by the schema of an entry of this part. */
function withEntries(config: SiteInput, part: EntryPart<never>['part'], entries: Readonly<Record<string, unknown>>): SiteInput {
  const { [part]: _before, ...rest } = config;
  return (Object.keys(entries).length === 0 ? rest : { ...rest, [part]: entries }) as SiteInput;
}
