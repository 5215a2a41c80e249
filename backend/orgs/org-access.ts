import type { endpoints } from '@repoless/contract/endpoints.ts';
import { etagOf } from '../domain/canonical.ts';
import { Refusal } from '../domain/errors.ts';
import type { Operation } from '../domain/operation.ts';
import { changeOrg, orgRequest } from './org-document.ts';
import { findOrg } from './org-view.ts';
import { unclaimed } from '../access/permit.ts';
import type { OrgView } from './org-view.ts';

type Rows = typeof endpoints;

const ACCESS_ADMIN: OrgView = { pointer: '/access/admin', read: (org) => org.access?.admin };

/** What the public service keeps of the access to an organization: kept here, too, and nothing more (docs/contract.md 3.15). */
export const getOrgAccessAdmin: Operation<Rows['getOrgAccessAdmin']> = async (context, { params }) => {
  const { config } = await findOrg(context, params.org);
  const access = ACCESS_ADMIN.read(config);
  if (access === undefined) throw accessNotFound(params.org);
  return { result: 'done', body: access, etag: etagOf(access) };
};

export const setOrgAccessAdmin: Operation<Rows['setOrgAccessAdmin']> = (context, input) =>
  changeOrg(context, {
    ...orgRequest(input),
    permission: 'org:write',
    action: 'set-access/admin',
    view: ACCESS_ADMIN,
    next: (present) => {
      if (present === undefined) throw unclaimed(input.params.org);
      return { ...present.config, access: { admin: input.body } };
    },
  });

export const deleteOrgAccessAdmin: Operation<Rows['deleteOrgAccessAdmin']> = (context, input) =>
  changeOrg(context, {
    ...orgRequest(input),
    permission: 'org:write',
    action: 'delete-access/admin',
    view: ACCESS_ADMIN,
    next: (present) => {
      if (present === undefined || ACCESS_ADMIN.read(present.config) === undefined) throw accessNotFound(input.params.org);
      const { access: _removed, ...rest } = present.config;
      return rest;
    },
  });

function accessNotFound(org: string): Refusal {
  return new Refusal('PART_NOT_FOUND', `The organization "${org}" has no access/admin.`);
}
