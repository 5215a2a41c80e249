import { readLegacyPaths as readPaths } from '#legacy/legacy-project.ts';
import type { LegacyNote, LegacyPaths as Paths, LegacyProblem } from '#legacy/legacy-project.ts';
import { commandLine as messages } from '#extension/messages/en/command-line.ts';
import { readText } from '../read-text.ts';
import { UsageProblem } from '../cli-context.ts';

export interface LegacyPaths extends Omit<Paths, 'notes'> {
  /** What was made different, for a person. */
  readonly notes: readonly string[];
}

/** Reads a project's paths.json and makes of it the mappings that the service needs. `root` stands in where it is missing. */
export async function readLegacyPaths(path: string, root: string | undefined): Promise<LegacyPaths> {
  const text = await readText(path);
  const read = readPaths(text ?? '{"mappings":[]}', root);
  if ('problem' in read) throw new UsageProblem(sentenceOf(path, read.problem));
  return { ...read, notes: read.notes.map(noteOf) };
}

function sentenceOf(path: string, { kind, line, detail }: LegacyProblem): string {
  return kind === 'no-root' ? messages.import.noRoot(path) : messages.import.wrong(path, line, detail);
}

function noteOf(note: LegacyNote): string {
  switch (note.kind) {
    case 'root-slash':
      return messages.import.rootSlash(note.from, note.to);
    case 'configuration':
      return messages.import.mappedConfiguration(note.page);
  }
}
