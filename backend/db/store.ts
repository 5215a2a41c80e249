import { apiKeyReads, apiKeyWrites } from '../access/api-key-queries.ts';
import { checkStore, siteCheckReads, siteCheckWrites } from '../checks/check-queries.ts';
import { blobPlace, condemnedBlobs } from '../code/blob-queries.ts';
import { branchStore } from '../code/branch-queries.ts';
import { jobStore } from '../code/job-queries.ts';
import type { KnownNode, Reads, Store, Writes } from '../domain/ports.ts';
import { causeWrites } from '../events/cause-queries.ts';
import { eventStore } from '../events/event-queries.ts';
import { hostedDocuments } from '../hosted/document-queries.ts';
import { subscriptionReads, subscriptionWrites } from '../events/subscription-queries.ts';
import { auditReads, auditWrites, versionReads, versionWrites } from '../history/history-queries.ts';
import { overview } from '../operators/overview-queries.ts';
import { orgReads, orgWrites } from '../orgs/org-queries.ts';
import { profileReads, profileWrites } from '../profiles/profile-queries.ts';
import { rolloutReads, rolloutStore, rolloutWrites } from '../rollouts/rollout-queries.ts';
import { secretReads, secretWrites } from '../secrets/secret-queries.ts';
import { contentRootReads, contentRootWrites, siteReads, siteWrites } from '../sites/site-queries.ts';
import type { Database, Query, WriteQueries } from './queries.ts';
import { sessionEnds, shortLived } from './short-lived.ts';
import type { Alone } from './sqlite/connect.ts';
import type { Tracing } from '../tracing/tracing.ts';

export interface StoreOptions {
  /** Folder of the embedded store; created if it is missing. */
  readonly dataDir: string;
  /** A postgres address, of one server or several; without it the embedded store is used. */
  readonly databaseUrl?: string;
  readonly maxPages?: number;
  /** For the service: two services must not open the embedded store at the same time. Not used on PostgreSQL. */
  readonly alone?: Alone;
  /** Receives errors outside of calls, e.g. a lost connection. Never contains a secret. */
  readonly log?: (message: string, error: unknown) => void;
  readonly tracing?: Tracing;
  /**
   * A write that begins another one is refused, in place of waiting for itself. For tests: on Node.js 20, following the call from which a
   * write comes costs every request of the program about a tenth of its time.
   */
  readonly refusesNested?: boolean;
}

export function readsOn(query: Query): Reads {
  return {
    ...orgReads(query),
    ...siteReads(query),
    ...contentRootReads(query),
    ...profileReads(query),
    ...versionReads(query),
    ...auditReads(query),
    ...apiKeyReads(query),
    ...secretReads(query),
    ...subscriptionReads(query),
    ...siteCheckReads(query),
    ...rolloutReads(query),
  };
}

export function writesOn(write: WriteQueries): Writes {
  return {
    ...readsOn(write.rows),
    ...orgWrites(write),
    ...siteWrites(write),
    ...contentRootWrites(write),
    ...profileWrites(write),
    ...versionWrites(write),
    ...auditWrites(write),
    ...apiKeyWrites(write),
    ...secretWrites(write),
    ...subscriptionWrites(write),
    ...causeWrites(write),
    ...siteCheckWrites(write),
    ...rolloutWrites(write),
  };
}

type Stores =
  'reads' | 'shortLived' | 'sessionEnds' | 'code' | 'checks' | 'rollouts' | 'overview' | 'blobs' | 'condemned' | 'events' | 'hosted';

/** The same on both engines. `nodes`: the programs that use the storage, as known to the engine. */
export function storesOn(database: Database, nodes: () => Promise<readonly KnownNode[]>): Pick<Store, Stores> {
  return {
    reads: readsOn(database.read),
    shortLived: shortLived(database),
    sessionEnds: sessionEnds(database),
    code: { shared: database.dialect === 'postgres', ...jobStore(database), ...branchStore(database) },
    checks: checkStore(database),
    rollouts: rolloutStore(database),
    overview: overview(database, nodes),
    blobs: blobPlace(database),
    condemned: condemnedBlobs(database),
    events: eventStore(database),
    hosted: hostedDocuments(database),
  };
}
