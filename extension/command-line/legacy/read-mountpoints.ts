import { readLegacyContent } from '#legacy/legacy-project.ts';
import { commandLine as messages } from '#extension/messages/en/command-line.ts';
import { readText } from '../read-text.ts';
import { UsageProblem } from '../cli-context.ts';

export interface Mountpoints {
  /** The address of the mount point `/`. */
  readonly address: string;
  /** Paths of the other mount points. */
  readonly further: readonly string[];
}

/** Reads a project's fstab.yaml: where its content comes from. */
export async function readMountpoints(path: string): Promise<Mountpoints> {
  const text = await readText(path);
  if (text === undefined) throw new UsageProblem(messages.import.noFstab(path));
  const read = readLegacyContent(text);
  if (!('problem' in read)) return { address: read.source.url, further: read.further };
  const { kind, detail, line } = read.problem;
  throw new UsageProblem(kind === 'no-mountpoint' ? messages.import.noMountpoint : messages.import.wrong(path, line, detail));
}
