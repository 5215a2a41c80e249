import type { Generated } from 'kysely';

/** The tables, as the newest migration leaves them. Times are ISO 8601 texts in UTC, yes/no is 1/0, documents are JSON texts. */
export interface Tables {
  orgs: { org: string; config: string; etag: string; version: number };
  sites: SiteRow;
  profiles: ProfileRow;
  versions: VersionRow;
  api_keys: ApiKeyRow;
  audit: {
    id: Generated<number>;
    org: string;
    site: string | null;
    time: string;
    changed_by: string;
    action: string;
    request_id: string;
    from_version: number | null;
    to_version: number | null;
  };
  /** `sealed` holds a sealed value, or the hash of one; never the value. */
  secrets: SecretRow;
  code_jobs: JobRow;
  code_branches: { key: string; ref: string; branch: string; sha: string; manifest: string };
  short_lived: { kind: string; key: string; value: string; expires: string };
}

export interface ProfileRow {
  org: string;
  profile: string;
  config: string;
  etag: string;
  version: number;
}

/** `item` is the name of the profile or site, and empty for the organization itself. */
export interface VersionRow {
  org: string;
  kind: string;
  item: string;
  version: number;
  created: string;
  name: string | null;
  changed_by: string | null;
  /** null records the deletion. */
  data: string | null;
  /** 1 where somebody removed the version: what is left holds its number, which is never given again. */
  gone: number;
}

/** `site` is empty where the key is good for the whole organization. `roles` is a JSON text. */
export interface ApiKeyRow {
  id: string;
  org: string;
  site: string;
  description: string | null;
  roles: string;
  created: string;
  created_by: string;
  expires: string;
}

export interface SecretRow {
  org: string;
  site: string;
  name: string;
  type: string;
  sealed: string;
  created: string;
  last_modified: string;
}

/** One job is not stopped for each key and ref. `owner` works on it until `lease_until`. */
export interface JobRow {
  name: string;
  key: string;
  ref: string;
  state: string;
  created: string;
  origin: string;
  record: string;
  owner: string;
  lease_until: string;
  attempts: number;
  again: number;
}

/** `profile` is the one that the site extends; `aggregate` its document over that profile, null where it extends none. */
export interface SiteRow extends DerivedRow {
  config: string;
  etag: string;
  version: number;
  profile: string | null;
}

/** What follows from a site and its profile. All but the document itself is there to be found by, or answered at once. */
export interface DerivedRow {
  org: string;
  site: string;
  aggregate: string | null;
  content_root: string | null;
  repository: string | null;
  holds_secret: number;
  public_json: string | null;
  public_etag: string | null;
  robots: string | null;
}

export type Dialect = 'sqlite' | 'postgres';
export type Value = string | number | null;
