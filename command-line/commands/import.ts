import { sameValue } from '@repoless/contract/json.ts';
import type { SiteFile } from '@repoless/contract/site-file.ts';
import { commandLine as messages } from '@repoless/core/messages/en/command-line.ts';
import { join } from 'node:path';
import { type CliContext, type CommandResult, type Options, type Place, UsageProblem } from '../cli-context.ts';
import { parseSiteFile, printSiteFile, wrong } from '../site-file-text.ts';
import { mostFrequent, writeSiteFile } from '../write-site-file.ts';
import { type Project, readProject } from './read-project.ts';

/**
 * Proposes the file that replaces fstab.yaml and paths.json of one project or several, without calling the service. Every error is reported with
 * its place, and then no file is written.
 */
export async function importProjects(context: CliContext, options: Options): Promise<CommandResult> {
  const { folders } = options;
  if (folders.length > 1 && (options.sites.length > 0 || options.contentRoot !== undefined))
    throw new UsageProblem(messages.usage.oneFolder);
  const read = await Promise.all(folders.map((folder) => readProject(context.cwd, folder, options)));
  const projects = read.flatMap((one) => ('folder' in one ? [one] : []));
  const places = [...read.flatMap((one) => ('folder' in one ? [] : one)), ...problemsBetween(projects)];
  if (places.length > 0) throw wrong(places);
  const file = fileOf(projects, options);
  checkFile(file, projects);
  const notes = projects.flatMap(({ folder, notes: own, obsolete }) => {
    const said = obsolete.length === 0 ? own : [...own, messages.import.obsolete(obsolete)];
    // A place begins with the folder.
    return said.map((note) => (projects.length === 1 || note.startsWith(join(folder, '/')) ? note : `${folder}: ${note}`));
  });
  return writeSiteFile(context, options, file, notes);
}

/** A file is one organization's; each site of it has a name and content of its own. */
function problemsBetween(projects: readonly Project[]): Place[] {
  const places: Place[] = [];
  const names = new Map<string, Project>();
  const roots = new Map<string, Project>();
  const [first] = projects;
  for (const project of projects) {
    const { entry, author, organization } = project;
    const root = `${author}${entry.contentRoot}`;
    const [sameName, sameRoot] = [names.get(entry.name), roots.get(root)];
    if (first !== undefined && organization !== first.organization)
      places.push(project.placeOf('organization', messages.import.otherOrganization(organization, first.organization, first.folder)));
    if (sameName !== undefined) places.push(project.placeOf('name', messages.import.sameName(entry.name, sameName.folder)));
    if (sameRoot !== undefined) places.push(project.placeOf('contentRoot', messages.import.sameRoot(entry.contentRoot, sameRoot.folder)));
    names.set(entry.name, sameName ?? project);
    roots.set(root, sameRoot ?? project);
  }
  return places;
}

/** In: at least one project. */
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

/** What a project says may break a rule of the service: then its place in the project is named. */
function checkFile(file: SiteFile, projects: readonly Project[]): void {
  try {
    parseSiteFile('', printSiteFile(file, 'yaml'));
  } catch (error) {
    if (!(error instanceof UsageProblem)) throw error;
    throw wrong(
      error.places.map((place) => {
        const [, index, field] = /^\/sites\/(\d+)\/([^/]+)/.exec(place.pointer) ?? [];
        const project = projects[Number(index ?? 0)];
        return project?.placeOf(field ?? place.pointer.slice(1), place.sentence) ?? place;
      }),
    );
  }
}
