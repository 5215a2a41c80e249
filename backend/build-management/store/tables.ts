import type { Generated } from 'kysely';

/** Tables of build management alone. Times are ISO 8601 texts in UTC, documents are JSON texts. */
export interface Tables {
  bm_repositories: RepositoryRow;
  bm_deliveries: DeliveryRow;
  /** Deliveries that the vendor sent already, by the name that it gave them. */
  bm_seen: { repository: number; delivery_id: string; delivery: string; seen: string };
  /** What was done and the configuration service does not have yet. */
  bm_trail: TrailRow;
}

export interface TrailRow {
  seq: Generated<number>;
  id: string;
  org: string;
  time: string;
  actor: string;
  action: string;
  subject: string;
  site: string | null;
  request_id: string;
}

export interface RepositoryRow {
  id: Generated<number>;
  org: string;
  /** The number of the author's program. */
  program: string;
  name: string;
  clone_url: string;
  vendor: string;
  /** Names it in sealed texts and in the address of its webhook; nobody can guess it. */
  key: string;
  access_token: string;
  state: string;
  problem: string | null;
  /** The token of the challenge while it is to be found. */
  challenge: string | null;
  /** Counts the checks: the outcome of one that was overtaken is dropped. */
  attempt: number;
  created: string;
  created_by: string;
  last_modified: string;
  commit_sha: string | null;
  fetched: string | null;
  warnings: string;
  link_site: string | null;
  linked: string | null;
  linked_by: string | null;
  secret_hash: string | null;
  api_key_hash: string | null;
  webhook_secret: string | null;
  webhook_created: string | null;
  webhook_created_by: string | null;
  previous_api_key_hash: string | null;
  previous_webhook_secret: string | null;
  previous_until: string | null;
}

export interface DeliveryRow {
  seq: Generated<number>;
  id: string;
  repository: number;
  delivery_id: string | null;
  event: string;
  received: string;
  finished: string | null;
  changes: string;
  outcome: string;
  detail: string | null;
  jobs: string;
  attempts: number;
  repeats: number;
  caller: string | null;
}
