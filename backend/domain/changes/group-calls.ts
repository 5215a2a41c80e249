import type { Group } from '#contract/access.ts';
import type { Permission } from '#contract/permissions.ts';
import type { Site } from '#contract/site.ts';
import { etagOf } from '../canonical.ts';
import type { Context } from '../context.ts';
import type { Outcome } from '../operation.ts';
import { changeRequest } from './change.ts';
import type { ConfigView } from './change.ts';
import type { DocumentCall, DocumentKind } from './document-kind.ts';

interface InGroup {
  readonly group: string;
}

export function readGroup<Name>(kind: DocumentKind<Name>) {
  return async (context: Context, { params }: { readonly params: Name & InGroup }): Promise<Outcome> => {
    const { config } = await kind.find(context, params);
    const group = groupOf(config, params.group);
    if (group === undefined) throw kind.partMissing(`group "${params.group}"`, params);
    return { result: 'done', body: group, etag: etagOf(group) };
  };
}

export function replaceGroup<Name>(kind: DocumentKind<Name>, permission: Permission) {
  return (context: Context, input: DocumentCall<Name & InGroup> & { readonly body: Group }): Promise<Outcome> => {
    const { group } = input.params;
    return kind.change(context, input.params, {
      ...changeRequest(input),
      permission,
      action: `set-groups/${group}`,
      view: groupView(group),
      next: (present) => ({ ...present?.config, groups: { ...present?.config.groups, [group]: input.body } }),
    });
  };
}

export function removeGroup<Name>(kind: DocumentKind<Name>, permission: Permission) {
  return (context: Context, input: DocumentCall<Name & InGroup>): Promise<Outcome> => {
    const { group } = input.params;
    return kind.change(context, input.params, {
      ...changeRequest(input),
      permission,
      action: `delete-groups/${group}`,
      view: groupView(group),
      next: (present) => {
        if (groupOf(present?.config, group) === undefined) throw kind.partMissing(`group "${group}"`, input.params);
        const { [group]: _removed, ...groups } = present?.config.groups ?? {};
        const { groups: _groups, ...rest } = present?.config ?? {};
        return Object.keys(groups).length === 0 ? rest : { ...rest, groups };
      },
    });
  };
}

function groupView(group: string): ConfigView {
  return { pointer: `/groups/${group}`, read: (config) => groupOf(config, group) };
}

function groupOf(config: Pick<Site, 'groups'> | undefined, group: string): Group | undefined {
  const groups = config?.groups ?? {};
  return Object.hasOwn(groups, group) ? groups[group] : undefined;
}
