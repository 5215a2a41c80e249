import { verifyCopy } from '#backend/publishing/verify-copy.ts';
import type { Store } from '#backend/domain/ports.ts';
import { openCopyPlace } from '../composition/publishing.ts';
import type { Settings } from '../config.ts';
import { UsageError } from './usage-error.ts';
import { withStore } from './with-store.ts';

/**
 * `publish verify`: compares the published copy with what is stored, while the service runs or not, names what differs and queues it for the
 * nodes. Out: 1 where something differs. `publish stop`: forgets where the copy is, so that changes are no longer queued for it.
 */
export async function publish([action, ...more]: readonly string[], settings: Settings): Promise<number> {
  if ((action !== 'verify' && action !== 'stop') || more.length > 0) throw new UsageError('Choose one: publish verify, publish stop.');
  const { PUBLISH_TO } = settings;
  if (action === 'verify' && PUBLISH_TO === undefined) throw new UsageError('Set PUBLISH_TO to where the copy is.');
  if (action === 'stop' && PUBLISH_TO !== undefined)
    throw new UsageError('Unset PUBLISH_TO, here and on the nodes: with it, they start publishing again.');
  return await withStore(settings, async (store) => {
    if (PUBLISH_TO !== undefined) return await verify(store, PUBLISH_TO, settings);
    await store.publishing.stop();
    process.stdout.write('Changes are no longer queued for publication. The copy is unchanged.\n');
    return 0;
  });
}

async function verify({ publishing: queue }: Store, where: NonNullable<Settings['PUBLISH_TO']>, settings: Settings): Promise<number> {
  const place = await openCopyPlace(where, settings, (error) => {
    throw error;
  });
  try {
    const { count } = await queue.waiting();
    let [compared, differing] = [0, 0];
    for await (const { sites, differences } of verifyCopy({ queue, place })) {
      compared += sites;
      differing += differences.length;
      for (const { key, what } of differences) process.stdout.write(`${key} ${what}.\n`);
      await queue.queue(
        differences.map(({ site }) => site),
        new Date(),
      );
    }
    const waited = count === 0 ? '' : ` Sites ${count} were waiting for publication before.`;
    process.stdout.write(`Sites ${compared}: compared. Objects that differ: ${differing}${differing === 0 ? '' : ', queued'}.${waited}\n`);
    return differing === 0 ? 0 : 1;
  } finally {
    await place.close();
  }
}
