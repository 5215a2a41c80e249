import { parse } from 'yaml';
import { z } from 'zod';
import { commandLine as words } from '#extension/words/en/command-line.ts';
import { readText } from '../read-text.ts';
import { UsageProblem } from '../surroundings.ts';

const Mountpoint = z.union([z.string(), z.looseObject({ url: z.string() }).transform(({ url }) => url)]);
const Fstab = z.looseObject({ mountpoints: z.record(z.string(), z.unknown()) });

export interface Mountpoints {
  /** The address of the mount point `/`. */
  readonly address: string;
  /** Paths of the other mount points. */
  readonly further: readonly string[];
}

/** Reads a project's fstab.yaml: where its content comes from. */
export async function readMountpoints(path: string): Promise<Mountpoints> {
  const text = await readText(path);
  if (text === undefined) throw new UsageProblem(words.import.noFstab(path));
  const fstab = Fstab.safeParse(parsed(text));
  const mountpoints = new Map(Object.entries(fstab.success ? fstab.data.mountpoints : {}));
  const root = Mountpoint.safeParse(mountpoints.get('/') ?? mountpoints.get(''));
  if (!root.success) throw new UsageProblem(words.import.noMountpoint);
  return { address: root.data, further: [...mountpoints.keys()].filter((key) => key !== '/' && key !== '') };
}

function parsed(text: string): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}
