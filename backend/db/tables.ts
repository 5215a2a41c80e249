import type { Generated } from 'kysely';

/** The tables, as the newest migration leaves them. Times are ISO 8601 texts in UTC, yes/no is 1/0, documents are JSON texts. */
export interface Tables {
  /** Who the users and groups of an organization name, lower-cased: what it is found by. */
  org_members: { member: string; org: string };
  orgs: { org: string; config: string; etag: string; version: number };
  sites: SiteRow;
  /** Whose an authoring host is, as the operator said. A trigger of `sites` refuses roots on it to all others. */
  authoring_hosts: { host: string; org: string };
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
    /** The place in the chain of the organization, from 1. */
    seq: Generated<number>;
    /** The hash of the entry before; empty for the first. */
    previous: Generated<string>;
    hash: Generated<string>;
  };
  /** How many entries an organization has, and the hash of the newest. */
  audit_heads: { org: string; entries: number; hash: string };
  /** Where each trail begins whose older entries were removed: the last of these. A trigger removes the entries up to it. */
  /** `sealed` holds a sealed value, or the hash of one; never the value. */
  secrets: SecretRow;
  code_jobs: JobRow & EndOfJob;
  code_branches: { key: string; ref: string; branch: string; sha: string; manifest: string; bytes: number };
  /** For whom a branch counts of a repository of the code host: an organization, or everybody where `org` is empty. Written by triggers, of `main` never. */
  asked_branches: { key: string; ref: string; org: string };
  /** Parts of blobs, where the database keeps them; `size` is that of the whole. */
  code_blobs: { hash: string; part: number; size: number; bytes: Uint8Array };
  /** Blobs that no branch served at `since`; `taken` is empty, or when somebody began to remove them. */
  code_condemned: { hash: string; since: string; taken: string };
  /** What an organization has; several rows that are summed up. Written by triggers alone. */
  org_usage: { org: string; shard: number; sites: number; versions: number; bytes: number; secrets: number; api_keys: number };
  site_checks: SiteCheckRow;
  check_rounds: CheckRoundRow;
  /** `person` is a hash; `ended` is in milliseconds since 1970. */
  session_ends: { person: string; ended: number };
  /** What is wrong now (1), or was (0). */
  event_causes: CauseRow;
  /** What began to be wrong and what ended. Written by triggers of `event_causes` alone. */
  events: Omit<CauseRow, 'open' | 'changed'> & { id: Generated<number>; time: string; phase: string };
  event_subscriptions: SubscriptionRow;
  /** Messages. Added by triggers of `events` alone. */
  event_deliveries: DeliveryRow;
  /** The events that a message tells of. */
  event_delivery_items: { delivery: string; event: number };
  /** `person` is a hash. */
  event_reads: { org: string; person: string; up_to: number };
  short_lived: { kind: string; key: string; value: string; expires: string };
}

export interface ProfileRow {
  org: string;
  profile: string;
  config: string;
  etag: string;
  version: number;
}

/** `site`, or `repository` and `ref`, are what it is about; neither where that is the organization. */
export interface CauseRow {
  kind: string;
  cause: string;
  org: string;
  site: string | null;
  repository: string | null;
  ref: string | null;
  open: number;
  changed: string;
  about: string | null;
  detail: string | null;
}

/** `kinds` and `sites` are names between commas, one at each end; empty where all are meant. */
export interface SubscriptionRow {
  id: string;
  org: string;
  kinds: string;
  sites: string;
  channel: string;
  target: string;
  rhythm: string;
  sealed: string | null;
  created: string;
  created_by: string;
  /** A JSON list. */
  owner_names: string | null;
}

/** `owner` sends it until `lease_until`. */
export interface DeliveryRow {
  id: string;
  org: string;
  subscription: string;
  state: string;
  created: string;
  next_at: string;
  attempts: number;
  status: number | null;
  problem: string | null;
  ended: string | null;
  owner: string;
  lease_until: string;
}

/** `outcome` of a stopped job: done, failed, or cancelled; `problem` says why it failed. */
export interface EndOfJob {
  outcome: Generated<string>;
  stopped: Generated<string>;
  problem: string | null;
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
  /** The version that was brought back with this one. */
  restored_from: number | null;
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
  expires: string | null;
  /** The `last_modified` that `expires` was written with: of a value that was written since, it says nothing. */
  expires_of: string | null;
  description: string | null;
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
  /** The organization that began it, and whether it was asked for by anybody else. */
  begun_by: string | null;
  joined: number;
  /** For whom its branch counts by whoever asked last: an organization, everybody where it is empty, nobody new where it is null. */
  asked_by: string | null;
  /** When it was stopped, where that is known, and whether it had failed then. */
  ended: string | null;
  failed: number;
}

/**
 * What was found at a site. `version` is that of the older of its looks, `checked_at` the time of the newer; `summary` and `looks` are
 * documents. `revision` counts its writes.
 */
export interface SiteCheckRow {
  org: string;
  site: string;
  revision: number;
  state: string;
  version: number;
  checked_at: string;
  service_at: string | null;
  service_version: number | null;
  authoring_at: string | null;
  authoring_by: string | null;
  summary: string;
  looks: string;
}

/** `owner` looks at the sites of an organization until `lease_until`; nobody need before `due`. */
export interface CheckRoundRow {
  org: string;
  due: string;
  owner: string;
  lease_until: string;
  since: string;
  whole: number;
  again: number;
  done: number;
  total: number;
}

/**
 * `profile` is the one that the site extends; `aggregate` its document over that profile, null where it extends none.
 */
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
export type Value = string | number | null | Uint8Array;
