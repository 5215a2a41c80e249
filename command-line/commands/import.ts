import { DEFAULT_CONNECTOR, type DeliveryAddress, parseDeliveryAddress } from '@repoless/contract/addresses.ts';
import type { CodeSource } from '@repoless/contract/code-source.ts';
import { sameValue } from '@repoless/contract/json.ts';
import { mappingWarnings } from '@repoless/contract/mappings.ts';
import { DEFAULT_REF, sanitizeRef } from '@repoless/contract/names.ts';
import type { SiteFile, SiteFileEntry } from '@repoless/contract/site-file.ts';
import {
  FURTHER_FILE_NAMES,
  FURTHER_FILES,
  type LegacyNote,
  type LegacyLocation,
  quoted,
  shownAddress,
} from '@repoless/core/legacy/project-file.ts';
import { FSTAB, type LegacyContent, readFstab } from '@repoless/core/legacy/read-fstab.ts';
import { type LegacyPaths, PATHS, pathsOfRoot, readPaths } from '@repoless/core/legacy/read-paths.ts';
import { commandLine as messages } from '@repoless/core/messages/en/command-line.ts';
import { join, resolve } from 'node:path';
import { type CliContext, type CommandResult, type Options, type FileLocation, UsageProblem } from '../cli-context.ts';
import { printFile, readText, writeSiteFile } from '../site-files.ts';
import { mostFrequent, parseSiteFile, invalidFile } from '../site-file-text.ts';

/**
 * Proposes the file that replaces fstab.yaml and paths.json of one or more projects, without calling the service. Reports every error with
 * its location, and then writes no file.
 */
export async function importProjects(context: CliContext, options: Options): Promise<CommandResult> {
  const { folders } = options;
  if (folders.length > 1 && (options.sites.length > 0 || options.contentRoot !== undefined))
    throw new UsageProblem(messages.usage.oneFolder);
  const read = await Promise.all(folders.map((folder) => readProject(context.cwd, folder, options)));
  const projects = read.flatMap((one) => ('folder' in one ? [one] : []));
  const locations = [...read.flatMap((one) => ('folder' in one ? [] : one)), ...problemsBetween(projects)];
  if (locations.length > 0) throw invalidFile(locations);
  const file = fileOf(projects, options);
  checkFile(file, projects);
  const notes = projects.flatMap(({ folder, notes: own, obsolete }) => {
    const lines = obsolete.length === 0 ? own : [...own, messages.import.obsolete(obsolete)];
    // A location starts with the folder.
    return lines.map((note) => (projects.length === 1 || note.startsWith(join(folder, '/')) ? note : `${folder}: ${note}`));
  });
  return writeSiteFile(context, options, file, notes);
}

/** A file belongs to one organization; each of its sites has a unique name and content root. */
function problemsBetween(projects: readonly Project[]): FileLocation[] {
  const locations: FileLocation[] = [];
  const names = new Map<string, Project>();
  const roots = new Map<string, Project>();
  const [first] = projects;
  for (const project of projects) {
    const { entry, author, organization } = project;
    const root = `${author}${entry.contentRoot}`;
    const [sameName, sameRoot] = [names.get(entry.name), roots.get(root)];
    if (first !== undefined && organization !== first.organization)
      locations.push(project.locationOf('organization', messages.import.otherOrganization(organization, first.organization, first.folder)));
    if (sameName !== undefined) locations.push(project.locationOf('name', messages.import.sameName(entry.name, sameName.folder)));
    if (sameRoot !== undefined)
      locations.push(project.locationOf('contentRoot', messages.import.sameRoot(entry.contentRoot, sameRoot.folder)));
    names.set(entry.name, sameName ?? project);
    roots.set(root, sameRoot ?? project);
  }
  return locations;
}

/** Takes at least one project. */
function fileOf(projects: readonly Project[], { service }: Options): SiteFile {
  const author = mostFrequent(projects.map((project) => project.author));
  const code = mostFrequent(projects.map((project) => project.code));
  return {
    version: 1,
    organization: mostFrequent(projects.map(({ organization }) => organization)),
    ...(service === undefined ? {} : { service }),
    author,
    code,
    access: { role: {}, requireAuth: 'auto' },
    sites: projects.map((project) => ({
      ...project.entry,
      ...(project.author === author ? {} : { author: project.author }),
      ...(sameValue(project.code, code) ? {} : { code: project.code }),
    })),
  };
}

/** If a value of a project breaks a rule of the service, its location in the project is reported. */
function checkFile(file: SiteFile, projects: readonly Project[]): void {
  try {
    parseSiteFile('', printFile(file, 'yaml'));
  } catch (error) {
    if (!(error instanceof UsageProblem)) throw error;
    throw invalidFile(
      error.locations.map((location) => {
        const [, index, field] = /^\/sites\/(\d+)\/([^/]+)/.exec(location.pointer) ?? [];
        const project = projects[Number(index ?? 0)];
        return project?.locationOf(field ?? location.pointer.slice(1), location.sentence) ?? location;
      }),
    );
  }
}

/** A project's site as an entry of a sites file, with every value written out. */
interface Project {
  /** As given on the command line. */
  readonly folder: string;
  readonly organization: string;
  readonly author: string;
  readonly code: CodeSource;
  readonly entry: SiteFileEntry;
  /** Messages about what was changed or left out, each with its location if it has one. */
  readonly notes: readonly string[];
  /** Files of the project that the sites file covers completely: they are no longer needed. */
  readonly obsolete: readonly string[];
  /** The location of a property in the project. */
  locationOf(field: string, sentence: string): FileLocation;
}

type ImportOptions = Pick<Options, 'organization' | 'author' | 'code' | 'contentRoot' | 'sites'>;

/** Reads an existing project: its files and its remote. Returns the project, or everything that is wrong with it. */
async function readProject(cwd: string, folder: string, options: ImportOptions): Promise<Project | readonly FileLocation[]> {
  const text = (name: string) => readText(resolve(cwd, folder, name));
  const [fstab, paths] = [await text(FSTAB), await text(PATHS)];
  const at = (name: string, { line = 1, column = 1 }: LegacyLocation, sentence: string): FileLocation => {
    return { file: join(folder, name), line, column, pointer: '', sentence };
  };
  if (fstab === undefined) return [at(FSTAB, {}, messages.import.noFstab(join(folder, FSTAB)))];
  const content = contentOf(fstab);
  const mapped = pathsOf(paths, options.contentRoot);
  const problems = [
    ...('problem' in content ? [at(FSTAB, content.problem, content.problem.detail)] : []),
    ...('problem' in mapped ? [at(mapped.problem.file, mapped.problem, mapped.problem.detail)] : []),
  ];
  if ('problem' in content || 'problem' in mapped) return problems;
  const { delivery } = content;
  const site = { organization: options.organization ?? sanitizeRef(delivery.org), name: options.sites[0] ?? sanitizeRef(delivery.site) };
  const { code, notes: codeNotes } = await codeOf(resolve(cwd, folder), delivery, options);
  const notes = [...content.notes, ...mapped.notes, ...codeNotes, ...(await furtherNotes(text, site))];
  const { contentRoot, configurationPage, paths: taken } = mapped;
  const { mappings = [], includes = false, excludes } = taken;
  const { suffix } = content.source;
  return {
    folder,
    organization: site.organization,
    author: options.author ?? delivery.author,
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
    locationOf: (field, sentence) =>
      paths !== undefined && OF_PATHS.includes(field)
        ? at(PATHS, mapped.locationOf(field), sentence)
        : at(FSTAB, content.location, sentence),
  };
}

/** Members of an entry that come from paths.json; all others come from fstab.yaml. */
const OF_PATHS: readonly string[] = ['contentRoot', 'configurationPage', 'mappings', 'includes', 'excludes'];

interface Problem extends LegacyLocation {
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
  if (delivery === undefined) return { problem: { file: FSTAB, ...read.location, detail: messages.import.notDelivery(shownAddress(url)) } };
  const { ref, connector } = delivery;
  const noteOf = (detail: string): LegacyNote => ({ file: FSTAB, ...read.location, detail, isLeft: true });
  const notes = [
    ...(ref === DEFAULT_REF ? [] : [noteOf(messages.import.otherBranch(quoted(ref)))]),
    ...(connector === DEFAULT_CONNECTOR ? [] : [noteOf(messages.import.otherConnector(quoted(connector)))]),
  ];
  return { ...read, delivery, notes: [...read.notes, ...notes] };
}

type Mapped = Omit<LegacyPaths, 'contentRoot'> & { readonly contentRoot: string };

/** Without paths.json no problem has a line in it. */
function pathsOf(text: string | undefined, root: string | undefined): Mapped | { problem: Problem } {
  if (text === undefined) {
    if (root === undefined) return { problem: { file: FSTAB, detail: messages.import.noPaths } };
    return { ...pathsOfRoot(root), notes: [], locationOf: () => ({}) };
  }
  const read = readPaths(text, root);
  if ('problem' in read) return { problem: { ...read.problem, file: PATHS } };
  const { contentRoot } = read;
  if (contentRoot === undefined) return { problem: { file: PATHS, ...read.locationOf('mappings'), detail: messages.import.noRoot } };
  const { mappings: _mappings, includes: _includes, excludes: _excludes, ...others } = read.paths;
  const left = Object.keys(others).map((name): LegacyNote => {
    return { file: PATHS, ...read.locationOf(name), detail: messages.import.otherPaths(quoted(name)), isLeft: true };
  });
  const doubles = mappingWarnings(read.paths.mappings ?? []).map((detail): LegacyNote => {
    return { file: PATHS, ...read.locationOf('mappings'), detail };
  });
  return { ...read, contentRoot, notes: [...read.notes, ...doubles, ...left] };
}

/** Files whose content belongs in a site's configuration but not in a sites file. */
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

/** A note without a location is about something missing in the file. */
function noteLine(at: (name: string, location: LegacyLocation, sentence: string) => FileLocation, note: LegacyNote): string {
  if (note.line === undefined) return note.detail;
  const { file, line, column, sentence } = at(note.file, note, note.detail);
  return `${file}:${line}:${column}: ${sentence}`;
}

/** The command's option, otherwise the folder's own remote, otherwise the repository in the delivery address from before repoless. */
async function codeOf(
  folder: string,
  delivery: DeliveryAddress,
  { code }: ImportOptions,
): Promise<{ code: CodeSource; notes: LegacyNote[] }> {
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

interface Repository {
  readonly owner: string;
  readonly repo: string;
  /** `https://<code host>/<owner>/<repo>`; with `http` if the remote has it. */
  readonly url: string;
}

const REMOTE = /\[remote "origin"\][^[]*?\n\s*url\s*=\s*(\S+)/;
const HTTP = /^(https?):\/\/(?:[^@/]+@)?([^/]+)\/([^/]+)\/([^/]+?)(?:\.git)?\/?$/;
const SSH = /^()(?:ssh:\/\/)?git@([^:/]+)[:/]([^/]+)\/([^/]+?)(?:\.git)?$/;

/**
 * The repository of a folder, from the address of its remote `origin`, without credentials. `unread`: there is such an address, but not of
 * an owner's repository.
 */
async function readRepository(folder: string): Promise<Repository | 'unread' | undefined> {
  const address = REMOTE.exec((await readText(join(folder, '.git', 'config'))) ?? '')?.[1];
  if (address === undefined) return undefined;
  const [, scheme = '', host, owner, repo] = HTTP.exec(address) ?? SSH.exec(address) ?? [];
  if (host === undefined || owner === undefined || repo === undefined) return 'unread';
  return { owner, repo, url: `${scheme || 'https'}://${host}/${owner}/${repo}` };
}
