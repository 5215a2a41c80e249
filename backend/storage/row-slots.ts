import { slot } from './statement.ts';
import type { ApiKeyRow, ProfileRow, SecretRow, SiteRow, VersionRow } from './tables.ts';
import type { AuditRow, OrgRow } from './write-rows.ts';

export const SITE_SLOTS: SiteRow = {
  org: slot('org'),
  site: slot('site'),
  config: slot('config'),
  etag: slot('etag'),
  version: slot('version'),
  content_root: slot('content_root'),
  repository: slot('repository'),
  holds_secret: slot('holds_secret'),
  public_json: slot('public_json'),
  public_etag: slot('public_etag'),
  robots: slot('robots'),
  profile: slot('profile'),
  aggregate: slot('aggregate'),
};
export const ORG_SLOTS: OrgRow = { org: slot('org'), config: slot('config'), etag: slot('etag'), version: slot('version') };
export const PROFILE_SLOTS: ProfileRow = {
  org: slot('org'),
  profile: slot('profile'),
  config: slot('config'),
  etag: slot('etag'),
  version: slot('version'),
};
export const API_KEY_SLOTS: ApiKeyRow = {
  id: slot('id'),
  org: slot('org'),
  site: slot('site'),
  description: slot('description'),
  roles: slot('roles'),
  created: slot('created'),
  created_by: slot('created_by'),
  expires: slot('expires'),
};
export const VERSION_SLOTS: VersionRow = {
  org: slot('org'),
  kind: slot('kind'),
  item: slot('item'),
  version: slot('version'),
  created: slot('created'),
  name: slot('name'),
  changed_by: slot('changed_by'),
  data: slot('data'),
  gone: slot('gone'),
};
export const AUDIT_SLOTS: AuditRow = {
  org: slot('org'),
  site: slot('site'),
  time: slot('time'),
  changed_by: slot('changed_by'),
  action: slot('action'),
  request_id: slot('request_id'),
  from_version: slot('from_version'),
  to_version: slot('to_version'),
};
export const SECRET_SLOTS: SecretRow = {
  org: slot('org'),
  site: slot('site'),
  name: slot('name'),
  type: slot('type'),
  sealed: slot('sealed'),
  created: slot('created'),
  last_modified: slot('last_modified'),
};
