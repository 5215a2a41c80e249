import type { endpoints } from '@repoless/contract/endpoints.ts';
import { etagOf } from '../domain/canonical.ts';
import { Refusal } from '../domain/errors.ts';
import type { Operation } from '../domain/operation.ts';
import { changeOrg, orgRequest } from './org-document.ts';
import { findOrg, groupOf, groupView, ORG_GROUPS } from './org-view.ts';

type Rows = typeof endpoints;

export const listOrgGroups: Operation<Rows['listOrgGroups']> = async (context, { params }) => {
  const { config } = await findOrg(context, params.org);
  const groups = ORG_GROUPS.read(config);
  return { result: 'done', body: groups, etag: etagOf(groups) };
};

export const getOrgGroup: Operation<Rows['getOrgGroup']> = async (context, { params }) => {
  const { config } = await findOrg(context, params.org);
  const group = groupOf(config, params.group);
  if (group === undefined) throw groupNotFound(params);
  return { result: 'done', body: group, etag: etagOf(group) };
};

export const setOrgGroup: Operation<Rows['setOrgGroup']> = (context, input) => {
  const { group } = input.params;
  return changeOrg(context, {
    ...orgRequest(input),
    permission: 'org:write',
    action: `set-groups/${group}`,
    view: groupView(group),
    next: (present) => ({ ...present?.config, groups: { ...present?.config.groups, [group]: input.body } }),
  });
};

export const deleteOrgGroup: Operation<Rows['deleteOrgGroup']> = (context, input) => {
  const { group } = input.params;
  return changeOrg(context, {
    ...orgRequest(input),
    permission: 'org:write',
    action: `delete-groups/${group}`,
    view: groupView(group),
    next: (present) => {
      if (present === undefined || groupOf(present.config, group) === undefined) throw groupNotFound(input.params);
      const { [group]: _removed, ...groups } = present.config.groups ?? {};
      const { groups: _groups, ...rest } = present.config;
      return Object.keys(groups).length === 0 ? rest : { ...rest, groups };
    },
  });
};

function groupNotFound({ org, group }: { org: string; group: string }): Refusal {
  return new Refusal('GROUP_NOT_FOUND', `The organization "${org}" has no group "${group}".`);
}
