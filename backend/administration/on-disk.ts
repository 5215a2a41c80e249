import { open } from 'node:fs/promises';

/** Resolves when what was written to a file, or in a folder, is on the disk: a machine that stops loses nothing of it. */
export async function onDisk(place: string): Promise<void> {
  const handle = await open(place, 'r');
  await handle.sync().finally(() => handle.close());
}
