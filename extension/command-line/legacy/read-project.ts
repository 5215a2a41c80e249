import { join, resolve } from 'node:path';
import { parseDeliveryAddress } from '#contract/addresses.ts';
import type { DeliveryAddress } from '#contract/addresses.ts';
import type { CodeSource } from '#contract/code-source.ts';
import { sanitizeRef } from '#contract/names.ts';
import type { SiteFileEntry } from '#contract/site-file.ts';
import { placeIn, readLegacyContent, readLegacyPaths } from '#legacy/legacy-project.ts';
import type { LegacyNote, LegacyPlace, LegacyProblem } from '#legacy/legacy-project.ts';
import { commandLine as messages } from '#extension/messages/en/command-line.ts';
import type { Options } from '../arguments.ts';
import type { Place } from '../cli-context.ts';
import { readText } from '../read-text.ts';
import { readRepository } from './read-repository.ts';

/** A project's site as a file of sites would say it, with everything written out. */
export interface Project {
  /** As it was given. */
  readonly folder: string;
  readonly organization: string;
  readonly author: string;
  readonly code: CodeSource;
  readonly entry: SiteFileEntry;
  /** What was made different, for a person. */
  readonly notes: readonly string[];
  /** Where a property stands in the project: what is about paths in paths.json, everything else in fstab.yaml. */
  placeOf(field: string, sentence: string): Place;
}

type Given = Pick<Options, 'organization' | 'author' | 'code' | 'contentRoot' | 'sites'>;

/** Reads a project from before: fstab.yaml, paths.json and its remote. Out: the project, or all that is wrong with it. */
export async function readProject(cwd: string, folder: string, given: Given): Promise<Project | readonly Place[]> {
  const fstab = { name: join(folder, 'fstab.yaml'), text: await readText(resolve(cwd, folder, 'fstab.yaml')) };
  const paths = { name: join(folder, 'paths.json'), text: await readText(resolve(cwd, folder, 'paths.json')) };
  const content = readContent(fstab);
  const mapped = readLegacyPaths(paths.text ?? '{"mappings":[]}', given.contentRoot);
  if ('sentence' in content || 'problem' in mapped) {
    const wrongPaths =
      fstab.text !== undefined && 'problem' in mapped ? [placed(paths, mapped.problem, sentenceOf(paths.name, mapped.problem))] : [];
    return [...('sentence' in content ? [content] : []), ...wrongPaths];
  }
  const { delivery, further, place } = content;
  const { contentRoot, configurationPage, mappings, includes } = mapped;
  const notes = [
    ...(further.length === 0 ? [] : [messages.import.furtherMountpoints(further.join(', '))]),
    ...mapped.notes.map((note) => noteOf(note)),
  ];
  return {
    folder,
    organization: given.organization ?? sanitizeRef(delivery.org),
    author: given.author ?? delivery.author,
    code: await codeOf(resolve(cwd, folder), delivery, given),
    entry: {
      name: given.sites[0] ?? sanitizeRef(delivery.site),
      contentRoot,
      ...(configurationPage === undefined ? {} : { configurationPage }),
      mappings,
      includes,
    },
    notes,
    placeOf: (field, sentence) =>
      ['contentRoot', 'configurationPage', 'mappings', 'includes'].includes(field)
        ? placed(paths, placeIn(paths.text ?? '', contentRoot), sentence)
        : placed(fstab, place, sentence),
  };
}

interface ProjectFile {
  readonly name: string;
  readonly text: string | undefined;
}

interface Content {
  readonly delivery: DeliveryAddress;
  /** Paths of the mount points beside `/`. */
  readonly further: readonly string[];
  readonly place: LegacyPlace;
}

function readContent(fstab: ProjectFile): Content | Place {
  const { name, text } = fstab;
  if (text === undefined) return placed(fstab, {}, messages.import.noFstab(name));
  const read = readLegacyContent(text);
  if ('problem' in read) {
    const { kind, detail } = read.problem;
    return placed(fstab, read.problem, kind === 'no-mountpoint' ? messages.import.noMountpoint : detail);
  }
  const { url } = read.source;
  const place = placeIn(text, url);
  const delivery = parseDeliveryAddress(url);
  return delivery === undefined ? placed(fstab, place, messages.import.notDelivery(url)) : { delivery, further: read.further, place };
}

/** What nobody can tell the place of stands at the beginning. */
function placed({ name }: ProjectFile, { line = 1, column = 1 }: LegacyPlace, sentence: string): Place {
  return { file: name, line, column, pointer: '', sentence };
}

/** What the command names, else the folder's own remote, else what the delivery address named before repoless. */
async function codeOf(folder: string, delivery: DeliveryAddress, { code }: Given): Promise<CodeSource> {
  const named = code === undefined ? await readRepository(folder) : { ...code };
  const { owner, repo, url } = { owner: delivery.org, repo: delivery.site, url: undefined, ...named };
  return { owner, repo, ...(url === undefined ? {} : { source: { type: 'github', url } }) };
}

function sentenceOf(path: string, { kind, detail }: LegacyProblem): string {
  return kind === 'no-root' ? messages.import.noRoot(path) : detail;
}

function noteOf(note: LegacyNote): string {
  switch (note.kind) {
    case 'root-slash':
      return messages.import.rootSlash(note.from, note.to);
    case 'configuration':
      return messages.import.mappedConfiguration(note.page);
    default:
      return note satisfies never;
  }
}
