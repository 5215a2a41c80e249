import { LIMITS } from '@repoless/contract/limits.ts';
import { randomUUID } from 'node:crypto';
import { openFolderPlace } from '../code/folder-place.ts';
import { bucketPlace } from '../code/object-storage/bucket-place.ts';
import { type BucketOptions, openBucket, requireBucket } from '../code/object-storage/bucket.ts';
import { shareUnreachable } from '../code/open-snapshot.ts';
import type { BlobPlace } from '../code/rules/ports.ts';
import { firstSyncs, type FirstSyncs } from '../code/rules/start-syncs.ts';
import type { CodeRemote, RemoteProblem } from '../code/snapshot.ts';
import { type CodeSync, startCodeSync } from '../code/start-code-sync.ts';
import type { Settings } from '../config.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import { createFairShare } from '../domain/fair-share.ts';
import type { Store } from '../domain/ports.ts';
import type { Log } from '../log.ts';
import { quotasOf } from '../quotas.ts';
import type { Resolve } from '../remote/guarded-lookup.ts';
import { type Remote, RemoteFailure, resolveHost } from '../remote/remote.ts';
import { resealSecrets } from '../secrets/reseal-secrets.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import type { Tracing } from '../tracing/tracing.ts';

export interface ComposedCode {
  readonly sync: CodeSync;
  /** Undefined: no sync starts automatically. */
  readonly firstSyncs: FirstSyncs | undefined;
}

interface CodeServices {
  readonly store: Store;
  readonly box: SecretBox;
  /** To code sources, including the operator's own. */
  readonly remote: Remote;
  readonly own: Remote;
  readonly lookup: Resolve;
  readonly log: Log;
  readonly tracing: Tracing;
  now(): Date;
}

/** Secrets and the code sync, as configured. */
export async function composeCode(
  settings: Settings,
  { store, box, remote, own, lookup, log, tracing, now }: CodeServices,
): Promise<ComposedCode> {
  await reseal(settings, store, box, log);
  const sync = await startCodeSync({
    settings: {
      codeHost: settings.CODE_HOST,
      mirrorDir: settings.MIRROR_DIR,
      repositoryLimit: settings.CODE_REPOSITORY_LIMIT,
      fileLimit: settings.CODE_FILE_LIMIT,
      fileCountLimit: settings.CODE_FILE_COUNT_LIMIT,
      syncTime: settings.CODE_SYNC_TIME * 1000,
      listingTime: settings.CODE_LISTING_TIME * 1000,
      retryDelay: settings.CODE_RETRY_DELAY,
      codeBytes: quotasOf(settings).codeBytes,
    },
    store,
    place: await openCodePlace(settings.CODE_STORE, settings, { blobs: store.blobs, failed: (error) => log.failure('CODE_STORE', error) }),
    syncsAtOnce: settings.ORG_SYNCS_AT_ONCE,
    remote: codeRemote(remote, settings.INTERNAL_ADDRESSES, lookup, ownCodeHost(settings, own)),
    box,
    tracing,
    now,
    failed: (job, error) => log.failure(job, error),
  });
  const looks = createFairShare(LOOKS);
  const services = { code: store.code, reads: store.reads, runner: sync.runner, now, newId: randomUUID };
  const look = shareUnreachable(sync.look, (share, work) => looks.run(share, work));
  return { sync: { ...sync, look }, firstSyncs: settings.FIRST_CODE_SYNC === 'no' ? undefined : quietly(firstSyncs(services), log) };
}

function ownCodeHost({ BUILD_MANAGEMENT: address }: Settings, remote: Remote): OwnCodeHost | undefined {
  return address === undefined ? undefined : { origin: new URL(address).origin, remote };
}

/** A service whose database is damaged or read-only starts anyway: it serves what is intact, and its health reports the rest. */
async function reseal({ SECRET_KEY_FILE: file }: Settings, store: Store, box: SecretBox, log: Log): Promise<void> {
  try {
    const { resealed, unreadable } = await resealSecrets(store, box);
    if (resealed > 0) log.info(`${resealed} secrets were sealed again under the newest key.`);
    if (unreadable > 0) log.error(`${unreadable} secrets cannot be opened with the keys of ${file}. Put the older keys back.`);
  } catch (error) {
    if (!(error instanceof Refusal && NOT_STORED.has(error.code))) throw error;
    log.failure('seal secrets again', error);
    log.error(`Secrets could not be stored under the newest key of ${file}. Keep the older keys, and restart.`);
  }
}

/** Logs their errors: the call that triggered them has succeeded. */
function quietly(syncs: FirstSyncs, log: Log): FirstSyncs {
  const failed = (error: unknown) => log.failure('first sync', error);
  return {
    codeStored: (org, code) => syncs.codeStored(org, code).catch(failed),
    secretStored: (org, code) => syncs.secretStored(org, code).catch(failed),
  };
}

/** Each is a git process that queries another system. */
const LOOKS = { atOnce: LIMITS.branchReadsAtOnce, perShare: LIMITS.branchReadsPerOrg, waitingPerShare: 20, waiting: 200, called: 'syncs' };
const NOT_STORED: ReadonlySet<string> = new Set(['STORAGE_DAMAGED', 'STORAGE_FULL', 'STORAGE_UNAVAILABLE']);

/**
 * The code store. Rejects if a bucket is missing or not writable; one that does not respond is only logged, and the service answers what it
 * can until it is back.
 */
export async function openCodePlace(
  where: Settings['CODE_STORE'],
  settings: Settings,
  { blobs, failed }: { blobs: Store['blobs'] | undefined; failed(error: unknown): void },
): Promise<BlobPlace> {
  if (where === undefined) return await openFolderPlace(settings.CODE_DIR);
  if (where === 'database') {
    if (blobs === undefined) throw new Error('The database is not open.');
    return blobs;
  }
  const bucket = await openBucket(bucketOptions(where, settings));
  try {
    const away = await requireBucket(bucket);
    if (away !== undefined) failed(away);
  } catch (error) {
    bucket.client.destroy();
    throw error;
  }
  return bucketPlace(bucket);
}

/** A bucket, with the object storage settings that all stored content shares. */
function bucketOptions(where: { readonly bucket: string; readonly prefix: string }, settings: Settings): BucketOptions {
  const { S3_REGION: region, S3_ENDPOINT: endpoint, S3_PATH_STYLE, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secret } = settings;
  const pathStyle = S3_PATH_STYLE === undefined ? endpoint !== undefined : S3_PATH_STYLE === 'yes';
  const credential = accessKeyId === undefined || secret === undefined ? undefined : { accessKeyId, secretAccessKey: secret };
  return { ...where, region, endpoint, pathStyle, credential };
}

/** Files of a repository are slower than answers of an API. */
const TIMEOUT = 60_000;

/** Build management as configured by the operator: it may be internal, unlike anything else that a tenant names. */
interface OwnCodeHost {
  readonly origin: string;
  readonly remote: Remote;
}

/** The guarded client for code sources. */
export function codeRemote(remote: Remote, internal: 'refuse' | 'allow', lookup: Resolve, own?: OwnCodeHost): CodeRemote {
  const wayTo = (url: string) => (own !== undefined && new URL(url).origin === own.origin ? own.remote : remote);
  return {
    get: (asked) => explained(wayTo(asked.url).send({ method: 'GET', ...asked, timeout: TIMEOUT })),
    resolve: (url) => explained(resolveHost(url, internal, lookup).then((addresses) => ({ addresses, isGuarded: internal === 'refuse' }))),
  };
}

async function explained<T>(work: Promise<T>): Promise<T | RemoteProblem> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof RemoteFailure) return { problem: error.reason, sentence: error.message };
    throw error;
  }
}
