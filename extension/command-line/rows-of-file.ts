import type { ServiceInfo } from '#contract/service.ts';
import type { SiteFile, SiteFileEntry } from '#contract/site-file.ts';
import type { Environment } from '#extension/setup/sites/environments.ts';
import { rowMappings } from '#extension/setup/sites/propose-rows.ts';
import type { Options } from './arguments.ts';
import type { Batch, SiteRow } from '#extension/setup/sites/rows.ts';

/** The sites of a file that one author delivers. */
export interface FileBatch {
  readonly author: string;
  readonly batch: Batch;
  readonly rows: readonly SiteRow[];
}

/** The file's sites as rows, a batch for each author. `environmentOf` tells the technical account where the file does not. */
export function batchesOf(
  file: SiteFile,
  info: ServiceInfo,
  environments: readonly Environment[],
  { sites: chosen, contentChanges }: Pick<Options, 'sites' | 'contentChanges'>,
): FileBatch[] {
  const entries = file.sites.filter(({ name }) => chosen.length === 0 || chosen.includes(name));
  return authorsOf(file, chosen).map((author) => {
    const environment = environments.find((candidate) => candidate.author === author);
    const batch: Batch = {
      organization: file.organization,
      author,
      code: file.code,
      access: file.access,
      info,
      further: 'remove',
      environments,
      ...(file.cloudConfiguration === undefined ? {} : { baseConfiguration: file.cloudConfiguration }),
    };
    const account = file.technicalAccount ?? environment?.technicalAccount ?? '';
    const rows = entries.filter((entry) => authorOf(file, entry) === author).map((entry) => rowOf(entry, account, contentChanges));
    return { author, batch, rows };
  });
}

/** The authors that the file names, in their order. */
export function authorsOf(file: SiteFile, chosen: readonly string[] = []): string[] {
  const entries = file.sites.filter(({ name }) => chosen.length === 0 || chosen.includes(name));
  return [...new Set(entries.map((entry) => authorOf(file, entry)))];
}

/** The file is refused where neither it nor the site names one. */
export function authorOf(file: SiteFile, entry: SiteFileEntry): string {
  return new URL(entry.author ?? file.author ?? '').origin;
}

function rowOf(entry: SiteFileEntry, account: string, contentChanges: readonly string[]): SiteRow {
  const { name, contentRoot, cloudConfiguration, code, access } = entry;
  const configurationPage = entry.configurationPage === false ? undefined : (entry.configurationPage ?? `${contentRoot}/configuration`);
  return {
    id: name,
    siteName: name,
    contentRoot,
    mappings: entry.mappings ?? rowMappings(contentRoot, configurationPage),
    technicalAccount: entry.technicalAccount ?? account,
    ...(entry.includes === false ? {} : { includes: entry.includes ?? [`${contentRoot}/`] }),
    ...(entry.excludes === undefined ? {} : { excludes: entry.excludes }),
    ...(entry.suffix === undefined ? {} : { suffix: entry.suffix }),
    ...(entry.overlay === undefined ? {} : { overlay: entry.overlay }),
    ...(entry.folders === undefined ? {} : { folders: entry.folders }),
    ...(configurationPage === undefined ? {} : { configurationPage }),
    ...(cloudConfiguration === undefined ? {} : { cloudConfiguration }),
    ...(code === undefined ? {} : { code }),
    ...(access === undefined ? {} : { access }),
    ...(contentChanges.includes(name) ? { replacesContent: true } : {}),
  };
}
