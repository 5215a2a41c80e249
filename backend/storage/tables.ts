import type { Generated } from 'kysely';

/** The tables, as the newest migration leaves them. Times are ISO 8601 texts in UTC, yes/no is 1/0, documents are JSON texts. */
export interface Tables {
  orgs: { org: string; config: string; etag: string; version: number };
  sites: SiteRow;
  versions: {
    org: string;
    site: string;
    version: number;
    created: string;
    name: string | null;
    changed_by: string | null;
    /** null records the deletion. */
    data: string | null;
  };
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

/** What begins with `content_root` is derived from the document, so that it can be found or answered at once. */
export interface SiteRow {
  org: string;
  site: string;
  config: string;
  etag: string;
  version: number;
  content_root: string | null;
  repository: string | null;
  holds_secret: number;
  public_json: string | null;
  public_etag: string | null;
  robots: string | null;
}

export type Dialect = 'sqlite' | 'postgres';
export type Value = string | number | null;
