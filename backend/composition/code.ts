import { LIMITS } from '@repoless/contract/limits.ts';
import { randomUUID } from 'node:crypto';
import { Refusal } from '@repoless/contract/refusal.ts';
import { bucketStorage, type BucketOptions, openBucket, requireBucket } from '../code/object-storage/bucket.ts';
import { shareUnreachable } from '../code/open-snapshot.ts';
import type { BlobStorage, FirstSyncs } from '../code/rules/ports.ts';
import { firstSyncs } from '../code/rules/start-syncs.ts';
import type { CodeRemote, RemoteProblem } from '../code/snapshot.ts';
import { startCodeSync } from '../code/start-code-sync.ts';
import { quotasOf, type Settings } from '../config.ts';
import { createFairShare } from '../domain/fair-share.ts';
import type { Store } from '../domain/ports.ts';
import type { Log } from '../log.ts';
import type { Resolve } from '../remote/guarded-lookup.ts';
import { type Remote, RemoteFailure, resolveHost } from '../remote/remote.ts';
import type { SecretBox, Resealed, SecretLocation } from '../secrets/secret-box.ts';
import type { Tracing } from '../tracing/tracing.ts';
import { openFolderStorage } from '../code/blob-store.ts';
import { webhookSecretLocation } from '../events/rules/subscription-operations.ts';

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

export async function composeCode(settings: Settings, { store, box, remote, own, lookup, log, tracing, now }: CodeServices) {
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
    storage: await openCodeStorage(settings.CODE_STORE, settings, {
      blobs: store.blobs,
      failed: (error) => log.failure('CODE_STORE', error),
    }),
    syncsAtOnce: settings.ORG_SYNCS_AT_ONCE,
    remote: codeRemote(remote, settings.INTERNAL_ADDRESSES, lookup, { address: settings.BUILD_MANAGEMENT, remote: own }),
    box,
    tracing,
    now,
    failed: log.failure,
  });
  const probes = createFairShare(PROBES);
  const services = { code: store.code, reads: store.reads, runner: sync.runner, now, newId: randomUUID };
  const probe = shareUnreachable(sync.probe, (share, work) => probes.run(share, work));
  // Without them, no sync starts automatically.
  const automatic = settings.FIRST_CODE_SYNC === 'no' ? undefined : loggingErrors(firstSyncs(services), log);
  return { sync: { ...sync, probe }, firstSyncs: automatic };
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

/** The call that triggered them has succeeded. */
function loggingErrors(syncs: FirstSyncs, log: Log): FirstSyncs {
  const failed = (error: unknown) => log.failure('first sync', error);
  return {
    codeStored: (org, code) => syncs.codeStored(org, code).catch(failed),
    secretStored: (org, code) => syncs.secretStored(org, code).catch(failed),
  };
}

/** Each is a git process that queries another system. */
const PROBES = {
  atOnce: LIMITS.branchReadsAtOnce,
  perShare: LIMITS.branchReadsPerOrg,
  waitingPerShare: 20,
  waiting: 200,
  workName: 'syncs',
};
const NOT_STORED: ReadonlySet<string> = new Set(['STORAGE_DAMAGED', 'STORAGE_FULL', 'STORAGE_UNAVAILABLE']);

/** Rejects if a bucket is missing or not writable; one that does not respond is only logged. */
export async function openCodeStorage(
  store: Settings['CODE_STORE'],
  settings: Settings,
  { blobs, failed }: { blobs: Store['blobs'] | undefined; failed(error: unknown): void },
): Promise<BlobStorage> {
  if (store === undefined) return await openFolderStorage(settings.CODE_DIR);
  if (store === 'database') {
    if (blobs === undefined) throw new Error('The database is not open.');
    return blobs;
  }
  const bucket = await openBucket(bucketOptions(store, settings));
  try {
    const unavailable = await requireBucket(bucket);
    if (unavailable !== undefined) failed(unavailable);
  } catch (error) {
    bucket.client.destroy();
    throw error;
  }
  return bucketStorage(bucket);
}

function bucketOptions(bucket: { readonly bucket: string; readonly prefix: string }, settings: Settings): BucketOptions {
  const { S3_REGION: region, S3_ENDPOINT: endpoint, S3_PATH_STYLE, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secret } = settings;
  const pathStyle = S3_PATH_STYLE === undefined ? endpoint !== undefined : S3_PATH_STYLE === 'yes';
  const credential = accessKeyId === undefined || secret === undefined ? undefined : { accessKeyId, secretAccessKey: secret };
  return { ...bucket, region, endpoint, pathStyle, credential };
}

/** Files of a repository are slower than answers of an API. */
const TIMEOUT = 60_000;

/**
 * The guarded client for code sources. `own`: build management as configured by the operator may be internal, unlike what a tenant names.
 */
export function codeRemote(
  remote: Remote,
  internal: 'refuse' | 'allow',
  lookup: Resolve,
  own?: { readonly address: string | undefined; readonly remote: Remote },
): CodeRemote {
  const ownOrigin = own?.address === undefined ? undefined : new URL(own.address).origin;
  const remoteFor = (url: string) => (own !== undefined && new URL(url).origin === ownOrigin ? own.remote : remote);
  return {
    get: (request) => explained(remoteFor(request.url).send({ method: 'GET', ...request, timeout: TIMEOUT })),
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

/**
 * After a new key was put first in the key file: reseals what an older key sealed. Returns how many, and how many could not be opened.
 * Secrets set in the meantime are not overwritten. Rejects as the store does if it cannot be read or written: what was resealed until then
 * stays.
 */
export async function resealSecrets(store: Store, box: SecretBox): Promise<{ resealed: number; unreadable: number }> {
  const counts = { resealed: 0, unreadable: 0 };
  const reseal = async (before: string, location: SecretLocation, change: (sealed: string) => Resealed) => {
    if (!box.isOld(before)) return;
    const sealed = sealedAgain(box, before, location);
    if (sealed === undefined) return void (counts.unreadable += 1);
    await store.write((writes) => writes.reseal(change(sealed)));
    counts.resealed += 1;
  };
  for (const secret of await store.reads.keySecrets())
    await reseal(secret.sealed, secret, (sealed) => ({ of: 'secret', secret: { ...secret, sealed }, before: secret.sealed }));
  for (const { id, org, channel } of await store.reads.webhookSubscriptions()) {
    if (channel.type !== 'webhook') continue;
    const before = channel.sealed;
    await reseal(before, webhookSecretLocation({ org, id }), (sealed) => ({ of: 'subscription', org, id, before, sealed }));
  }
  return counts;
}

/** Undefined if no key matches, or the text was changed or moved. */
function sealedAgain(box: SecretBox, sealed: string, location: SecretLocation): string | undefined {
  try {
    return box.open(sealed, location).use((value) => box.seal(value, location));
  } catch {
    return undefined;
  }
}
