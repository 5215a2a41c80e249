import { openFolderPlace } from '../code/folder-place.ts';
import { bucketPlace } from '../code/object-storage/bucket-place.ts';
import { type BucketOptions, openBucket, requireBucket } from '../code/object-storage/bucket.ts';
import type { BlobPlace } from '../code/rules/ports.ts';
import type { Settings } from '../config.ts';
import type { Store } from '../domain/ports.ts';

/**
 * The place of the code. Rejects if a bucket is missing or not writable; one that does not respond is only logged, and the service answers what it
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

/** A bucket by the settings of object storage, which are the same for all that lies in it. */
export function bucketOptions(where: { readonly bucket: string; readonly prefix: string }, settings: Settings): BucketOptions {
  const { S3_REGION: region, S3_ENDPOINT: endpoint, S3_PATH_STYLE, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secret } = settings;
  const pathStyle = S3_PATH_STYLE === undefined ? endpoint !== undefined : S3_PATH_STYLE === 'yes';
  const credential = accessKeyId === undefined || secret === undefined ? undefined : { accessKeyId, secretAccessKey: secret };
  return { ...where, region, endpoint, pathStyle, credential };
}
