import { DEFAULT_CONNECTOR, type DeliveryAddress, parseDeliveryAddress } from '@repoless/contract/addresses.ts';
import type { CodeSource } from '@repoless/contract/code-source.ts';
import { mappingWarnings } from '@repoless/contract/mappings.ts';
import { DEFAULT_REF, sanitizeRef } from '@repoless/contract/names.ts';
import type { SiteFileEntry } from '@repoless/contract/site-file.ts';
import {
  FURTHER_FILE_NAMES,
  FURTHER_FILES,
  type LegacyNote,
  type LegacyPlace,
  quoted,
  shownAddress,
} from '@repoless/core/legacy/project-file.ts';
import { FSTAB, type LegacyContent, readFstab } from '@repoless/core/legacy/read-fstab.ts';
import { type LegacyPaths, PATHS, pathsOfRoot, readPaths } from '@repoless/core/legacy/read-paths.ts';
import { commandLine as messages } from '@repoless/core/messages/en/command-line.ts';
import { join, resolve } from 'node:path';
import type { Options, Place } from '../cli-context.ts';
import { readText } from '../read-text.ts';

/** A project's site as a file of sites would say it, with everything written out. */
export interface Project {
  /** As it was given. */
  readonly folder: string;
  readonly organization: string;
  readonly author: string;
  readonly code: CodeSource;
  readonly entry: SiteFileEntry;
  /** What was made different or left out, for a person: each with its place, where it has one. */
  readonly notes: readonly string[];
  /** Files of the project that the sites file covers completely: they are no longer needed. */
  readonly obsolete: readonly string[];
  /** Where a property stands in the project. */
  placeOf(field: string, sentence: string): Place;
}

type Given = Pick<Options, 'organization' | 'author' | 'code' | 'contentRoot' | 'sites'>;

/** Reads a project from before: its files, and its remote. Out: the project, or all that is wrong with it. */
export async function readProject(cwd: string, folder: string, given: Given): Promise<Project | readonly Place[]> {
  const text = (name: string) => readText(resolve(cwd, folder, name));
  const [fstab, paths] = [await text(FSTAB), await text(PATHS)];
  const at = (name: string, { line = 1, column = 1 }: LegacyPlace, sentence: string): Place => {
    return { file: join(folder, name), line, column, pointer: '', sentence };
  };
  if (fstab === undefined) return [at(FSTAB, {}, messages.import.noFstab(join(folder, FSTAB)))];
  const content = contentOf(fstab);
  const mapped = pathsOf(paths, given.contentRoot);
  const problems = [
    ...('problem' in content ? [at(FSTAB, content.problem, content.problem.detail)] : []),
    ...('problem' in mapped ? [at(mapped.problem.file, mapped.problem, mapped.problem.detail)] : []),
  ];
  if ('problem' in content || 'problem' in mapped) return problems;
  const { delivery } = content;
  const site = { organization: given.organization ?? sanitizeRef(delivery.org), name: given.sites[0] ?? sanitizeRef(delivery.site) };
  const { code, notes: codeNotes } = await codeOf(resolve(cwd, folder), delivery, given);
  const notes = [...content.notes, ...mapped.notes, ...codeNotes, ...(await furtherNotes(text, site))];
  const { contentRoot, configurationPage, paths: taken } = mapped;
  const { mappings = [], includes = false, excludes } = taken;
  const { suffix } = content.source;
  return {
    folder,
    organization: site.organization,
    author: given.author ?? delivery.author,
    code,
    entry: {
      name: site.name,
      contentRoot,
      ...(configurationPage === undefined ? {} : { configurationPage }),
      mappings,
      includes,
      ...(excludes === undefined ? {} : { excludes }),
      ...(suffix === undefined ? {} : { suffix }),
      ...(content.overlay === undefined ? {} : { overlay: content.overlay }),
      ...(Object.keys(content.folders).length === 0 ? {} : { folders: content.folders }),
    },
    notes: notes.map((note) => noteLine(at, note)),
    obsolete: [FSTAB, ...(paths === undefined ? [] : [PATHS])].filter((name) => !notes.some(({ file, isLeft }) => file === name && isLeft)),
    placeOf: (field, sentence) =>
      paths !== undefined && OF_PATHS.includes(field) ? at(PATHS, mapped.placeOf(field), sentence) : at(FSTAB, content.place, sentence),
  };
}

/** What of an entry paths.json says; everything else is said by fstab.yaml. */
const OF_PATHS: readonly string[] = ['contentRoot', 'configurationPage', 'mappings', 'includes', 'excludes'];

interface Problem extends LegacyPlace {
  readonly file: string;
  readonly detail: string;
}

interface Delivered extends LegacyContent {
  readonly delivery: DeliveryAddress;
}

function contentOf(text: string): Delivered | { problem: Problem } {
  const read = readFstab(text);
  if ('problem' in read) return { problem: { ...read.problem, file: FSTAB } };
  const { url } = read.source;
  const delivery = parseDeliveryAddress(url);
  if (delivery === undefined) return { problem: { file: FSTAB, ...read.place, detail: messages.import.notDelivery(shownAddress(url)) } };
  const { ref, connector } = delivery;
  const told = (detail: string): LegacyNote => ({ file: FSTAB, ...read.place, detail, isLeft: true });
  const notes = [
    ...(ref === DEFAULT_REF ? [] : [told(messages.import.otherBranch(quoted(ref)))]),
    ...(connector === DEFAULT_CONNECTOR ? [] : [told(messages.import.otherConnector(quoted(connector)))]),
  ];
  return { ...read, delivery, notes: [...read.notes, ...notes] };
}

type Mapped = Omit<LegacyPaths, 'contentRoot'> & { readonly contentRoot: string };

/** Without paths.json nothing can be said of a line of it. */
function pathsOf(text: string | undefined, root: string | undefined): Mapped | { problem: Problem } {
  if (text === undefined) {
    if (root === undefined) return { problem: { file: FSTAB, detail: messages.import.noPaths } };
    return { ...pathsOfRoot(root), notes: [], placeOf: () => ({}) };
  }
  const read = readPaths(text, root);
  if ('problem' in read) return { problem: { ...read.problem, file: PATHS } };
  const { contentRoot } = read;
  if (contentRoot === undefined) return { problem: { file: PATHS, ...read.placeOf('mappings'), detail: messages.import.noRoot } };
  const { mappings: _mappings, includes: _includes, excludes: _excludes, ...others } = read.paths;
  const left = Object.keys(others).map((name): LegacyNote => {
    return { file: PATHS, ...read.placeOf(name), detail: messages.import.otherPaths(quoted(name)), isLeft: true };
  });
  const doubles = mappingWarnings(read.paths.mappings ?? []).map((detail): LegacyNote => {
    return { file: PATHS, ...read.placeOf('mappings'), detail };
  });
  return { ...read, contentRoot, notes: [...read.notes, ...doubles, ...left] };
}

/** Files whose content a site has in its configuration, where a file of sites has no place for it. */
async function furtherNotes(
  text: (name: string) => Promise<string | undefined>,
  { organization, name }: { readonly organization: string; readonly name: string },
): Promise<LegacyNote[]> {
  const notes = FURTHER_FILE_NAMES.map(async (file) => {
    if ((await text(file)) === undefined) return [];
    const { why, address } = FURTHER_FILES[file];
    return [
      { file, line: 1, detail: messages.import.furtherFile(why, `/config/${organization}/sites/${name}${address}`), isLeft: true as const },
    ];
  });
  return (await Promise.all(notes)).flat();
}

/** A note that has no place is about what the file does not say. */
function noteLine(at: (name: string, place: LegacyPlace, sentence: string) => Place, note: LegacyNote): string {
  if (note.line === undefined) return note.detail;
  const { file, line, column, sentence } = at(note.file, note, note.detail);
  return `${file}:${line}:${column}: ${sentence}`;
}

/** What the command names, else the folder's own remote, else what the delivery address named before repoless. */
async function codeOf(folder: string, delivery: DeliveryAddress, { code }: Given): Promise<{ code: CodeSource; notes: LegacyNote[] }> {
  const remote = code === undefined ? await readRepository(folder) : undefined;
  const { owner, repo, url } = {
    owner: delivery.org,
    repo: delivery.site,
    url: undefined,
    ...code,
    ...(remote === 'unread' ? {} : remote),
  };
  return {
    code: { owner, repo, ...(url === undefined ? {} : { source: { type: 'github', url } }) },
    notes: remote === 'unread' ? [{ file: GIT_CONFIG, line: 1, detail: messages.import.otherRemote(`${owner}/${repo}`) }] : [],
  };
}

const GIT_CONFIG = '.git/config';

export interface Repository {
  readonly owner: string;
  readonly repo: string;
  /** `https://<code host>/<owner>/<repo>`; with `http` where the remote has it. */
  readonly url: string;
}

const REMOTE = /\[remote "origin"\][^[]*?\n\s*url\s*=\s*(\S+)/;
const HTTP = /^(https?):\/\/(?:[^@/]+@)?([^/]+)\/([^/]+)\/([^/]+?)(?:\.git)?\/?$/;
const SSH = /^()(?:ssh:\/\/)?git@([^:/]+)[:/]([^/]+)\/([^/]+?)(?:\.git)?$/;

/**
 * The repository of a folder, from the address of its remote `origin`; credentials in it are left out. `unread`: there is such an address, and it
 * is not one of an owner's repository.
 */
export async function readRepository(folder: string): Promise<Repository | 'unread' | undefined> {
  const address = REMOTE.exec((await readText(join(folder, '.git', 'config'))) ?? '')?.[1];
  if (address === undefined) return undefined;
  const [, scheme = '', host, owner, repo] = HTTP.exec(address) ?? SSH.exec(address) ?? [];
  if (host === undefined || owner === undefined || repo === undefined) return 'unread';
  return { owner, repo, url: `${scheme || 'https'}://${host}/${owner}/${repo}` };
}
