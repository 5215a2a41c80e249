import { z } from 'zod';
import { GitVendor } from '@repoless/contract/build-management.ts';
import { RepositoryState } from '@repoless/contract/repository-state.ts';
import type { Selectable } from 'kysely';
import type { RepositoryRow } from './tables.ts';

/** An external repository as it is stored. Sealed texts and hashes stay what they are until they are needed. */
export interface StoredRepository {
  readonly id: string;
  readonly programId: string;
  readonly org: string;
  readonly name: string;
  readonly cloneUrl: string;
  readonly vendor: GitVendor;
  readonly key: string;
  readonly accessToken: string;
  readonly state: RepositoryState;
  readonly problem: string | undefined;
  readonly challenge: string | undefined;
  readonly attempt: number;
  readonly created: string;
  readonly createdBy: string;
  readonly lastModified: string;
  readonly commit: string | undefined;
  readonly fetched: string | undefined;
  readonly warnings: readonly string[];
  readonly link: { readonly site: string; readonly linked: string; readonly linkedBy: string; readonly secretHash: string } | undefined;
  readonly webhook: StoredWebhook | undefined;
}

export interface WebhookPair {
  readonly apiKeyHash: string;
  /** Sealed. */
  readonly secret: string;
}

export interface StoredWebhook extends WebhookPair {
  readonly created: string;
  readonly createdBy: string;
  /** The pair before, good until then. */
  readonly previous: (WebhookPair & { readonly until: string }) | undefined;
}

export function readRepository(row: Selectable<RepositoryRow>): StoredRepository {
  return {
    id: String(row.id),
    programId: row.program,
    org: row.org,
    name: row.name,
    cloneUrl: row.clone_url,
    vendor: GitVendor.parse(row.vendor),
    key: row.key,
    accessToken: row.access_token,
    state: RepositoryState.parse(row.state),
    problem: row.problem ?? undefined,
    challenge: row.challenge ?? undefined,
    attempt: row.attempt,
    created: row.created,
    createdBy: row.created_by,
    lastModified: row.last_modified,
    commit: row.commit_sha ?? undefined,
    fetched: row.fetched ?? undefined,
    warnings: Sentences.parse(JSON.parse(row.warnings)),
    link: linkOf(row),
    webhook: webhookOf(row),
  };
}

function linkOf({ link_site: site, linked, linked_by: linkedBy, secret_hash: secretHash }: Selectable<RepositoryRow>) {
  return site === null || linked === null || linkedBy === null || secretHash === null ? undefined : { site, linked, linkedBy, secretHash };
}

function webhookOf(row: Selectable<RepositoryRow>): StoredWebhook | undefined {
  const { api_key_hash: apiKeyHash, webhook_secret: secret, webhook_created: created, webhook_created_by: createdBy } = row;
  if (apiKeyHash === null || secret === null || created === null || createdBy === null) return undefined;
  const { previous_api_key_hash: before, previous_webhook_secret: secretBefore, previous_until: until } = row;
  const previous =
    before === null || secretBefore === null || until === null ? undefined : { apiKeyHash: before, secret: secretBefore, until };
  return { apiKeyHash, secret, created, createdBy, previous };
}

const Sentences = z.array(z.string());
