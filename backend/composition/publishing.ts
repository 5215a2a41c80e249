import { resolve } from 'node:path';
import type { HostDomains } from '#contract/addresses.ts';
import type { CopyPlace } from '#backend/domain/publishing/ports.ts';
import type { Store } from '#backend/domain/ports.ts';
import { openBucket } from '#backend/object-storage/bucket.ts';
import { bucketCopy } from '#backend/object-storage/bucket-copy.ts';
import { requireBucket } from '#backend/object-storage/require-bucket.ts';
import { folderCopy } from '#backend/publishing/folder-copy.ts';
import { createPurge } from '#backend/publishing/purge.ts';
import type { Cdn } from '#backend/publishing/purge.ts';
import { startPublishing } from '#backend/publishing/start-publishing.ts';
import type { PublishingWork } from '#backend/publishing/start-publishing.ts';
import type { Remote } from '#backend/remote/remote.ts';
import type { Settings } from '../config.ts';
import type { Log } from '../log.ts';
import { bucketOptions } from './code-place.ts';

interface Services {
  readonly store: Store;
  readonly hosts: HostDomains;
  readonly remote: Remote;
  readonly log: Log;
  now(): Date;
}

/** Begins to publish, where the settings name a place. Rejects with a sentence where that can never be used. */
export async function composePublishing(
  settings: Settings,
  { store, hosts, remote, log, now }: Services,
): Promise<PublishingWork | undefined> {
  if (settings.PUBLISH_TO === undefined) return undefined;
  const place = await openCopyPlace(settings.PUBLISH_TO, settings, (error) => log.failure('PUBLISH_TO', error));
  const purge = createPurge(cdnsOf(settings), hosts, (call) =>
    remote.send({ ...call, method: 'POST', timeout: PURGE_TIMEOUT, sizeLimit: PURGE_ANSWER }),
  );
  return startPublishing({
    store,
    place,
    placeName: copyPlaceName(settings.PUBLISH_TO, settings),
    purge,
    now,
    failed: (what, error) => log.failure(`publish ${what}`, error),
  });
}

type Where = NonNullable<Settings['PUBLISH_TO']>;

/** What a place is told from others by: another one gets a copy of everything. */
export function copyPlaceName(where: Where, { S3_ENDPOINT: endpoint = '' }: Settings): string {
  return 'folder' in where ? resolve(where.folder) : `${endpoint} s3://${where.bucket}/${where.prefix}`.trim();
}

export async function openCopyPlace(where: Where, settings: Settings, failed: (error: unknown) => void): Promise<CopyPlace> {
  if ('folder' in where) return folderCopy(where.folder);
  const bucket = await openBucket(bucketOptions(where, settings));
  try {
    const away = await requireBucket(bucket, 'PUBLISH_TO');
    if (away !== undefined) failed(away);
  } catch (error) {
    bucket.client.destroy();
    throw error;
  }
  return bucketCopy(bucket);
}

function cdnsOf(settings: Settings): Cdn[] {
  const { PURGE_HOOK: url, PURGE_HOOK_SECRET: secret } = settings;
  const { FASTLY_API, FASTLY_SERVICE: service, FASTLY_TOKEN: fastly } = settings;
  const { CLOUDFLARE_API, CLOUDFLARE_ZONE: zone, CLOUDFLARE_TOKEN: cloudflare, CLOUDFLARE_PURGE: by } = settings;
  return [
    ...(url === undefined || secret === undefined ? [] : [{ type: 'hook', url, secret } as const]),
    ...(service === undefined || fastly === undefined ? [] : [{ type: 'fastly', api: FASTLY_API, service, token: fastly } as const]),
    ...(zone === undefined || cloudflare === undefined
      ? []
      : [{ type: 'cloudflare', api: CLOUDFLARE_API, zone, by, token: cloudflare } as const]),
  ];
}

/** Milliseconds, of each call. */
const PURGE_TIMEOUT = 5000;
const PURGE_ANSWER = 64 * 1024;
