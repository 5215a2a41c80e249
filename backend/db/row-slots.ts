import { slot } from './statement.ts';
import type { ApiKeyRow, ProfileRow, SecretRow, SiteRow, SubscriptionRow, Tables, VersionRow } from './tables.ts';
import type { AuditRow, ChainLink, OrgRow } from './write-rows.ts';

/** What a site is found by, beside its name. */
export const SITE_KEYS = ['content_root', 'repository', 'holds_secret', 'profile'] as const;
/** What no index of sites is made of. */
export const SITE_CONTENT_SLOTS: Omit<SiteRow, 'org' | 'site' | (typeof SITE_KEYS)[number]> = {
  config: slot('config'),
  etag: slot('etag'),
  version: slot('version'),
  public_json: slot('public_json'),
  public_etag: slot('public_etag'),
  robots: slot('robots'),
  aggregate: slot('aggregate'),
};
export const SITE_SLOTS: SiteRow = {
  org: slot('org'),
  site: slot('site'),
  content_root: slot('content_root'),
  repository: slot('repository'),
  holds_secret: slot('holds_secret'),
  profile: slot('profile'),
  ...SITE_CONTENT_SLOTS,
};
/** What follows from a site and its profile. */
export const DERIVED_SLOTS = {
  content_root: SITE_SLOTS.content_root,
  repository: SITE_SLOTS.repository,
  holds_secret: SITE_SLOTS.holds_secret,
  public_json: SITE_SLOTS.public_json,
  public_etag: SITE_SLOTS.public_etag,
  robots: SITE_SLOTS.robots,
  aggregate: SITE_SLOTS.aggregate,
};
export const ORG_SLOTS: OrgRow = {
  org: slot('org'),
  config: slot('config'),
  etag: slot('etag'),
  version: slot('version'),
};
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
  restored_from: slot('restored_from'),
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
export const SUBSCRIPTION_SLOTS: SubscriptionRow = {
  id: slot('id'),
  org: slot('org'),
  kinds: slot('kinds'),
  sites: slot('sites'),
  channel: slot('channel'),
  target: slot('target'),
  rhythm: slot('rhythm'),
  sealed: slot('sealed'),
  created: slot('created'),
  created_by: slot('created_by'),
  owner_names: slot('owner_names'),
};
export const SECRET_SLOTS: SecretRow = {
  org: slot('org'),
  site: slot('site'),
  name: slot('name'),
  type: slot('type'),
  sealed: slot('sealed'),
  created: slot('created'),
  last_modified: slot('last_modified'),
  expires: slot('expires'),
  expires_of: slot('expires_of'),
  description: slot('description'),
};
/** Where the program itself chains the entries. */
export const CHAINED_AUDIT_SLOTS: AuditRow & ChainLink = {
  ...AUDIT_SLOTS,
  id: slot('id'),
  seq: slot('seq'),
  previous: slot('previous'),
  hash: slot('hash'),
};
export const HEAD_SLOTS: Tables['audit_heads'] = { org: slot('org'), entries: slot('entries'), hash: slot('hash') };
