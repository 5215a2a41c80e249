import { Sidekick } from '@repoless/contract/sidekick.ts';
import type { SiteInput } from '@repoless/contract/site.ts';
import { isObject, quoted, readProjectFile } from './project-file.ts';
import type { LegacyNote } from './project-file.ts';

/** What a further file of a project becomes: parts of a site, and notes on what has no counterpart. */
export interface FurtherFile {
  readonly parts: Pick<SiteInput, 'robots' | 'query' | 'sitemap' | 'sidekick'>;
  readonly notes: readonly LegacyNote[];
}

interface Kind {
  /** The part of a site that the service answers in place of the file, and its address below that of the site. */
  readonly part: 'robots' | 'query' | 'sitemap' | 'sidekick' | 'public';
  readonly address: string;
  /** Why the file in the repository is not enough. */
  readonly why: string;
  readonly read: (text: string, name: string) => FurtherFile;
}

/** Files beside fstab.yaml and paths.json that a site has in its configuration. Everything else in a repository is code, and stays it. */
export const FURTHER_FILES = {
  'robots.txt': {
    part: 'robots',
    address: '/robots.txt',
    why: 'The live host answers the robots.txt of the configuration.',
    read: (txt) => ({ parts: { robots: { txt } }, notes: [] }),
  },
  'helix-query.yaml': {
    part: 'query',
    address: '/content/query.yaml',
    why: 'The service answers and checks the one of the configuration.',
    read: readYamlFile('query'),
  },
  'helix-sitemap.yaml': {
    part: 'sitemap',
    address: '/content/sitemap.yaml',
    why: 'The service answers and checks the one of the configuration.',
    read: readYamlFile('sitemap'),
  },
  'tools/sidekick/config.json': {
    part: 'sidekick',
    address: '/sidekick.json',
    why: 'The sidekick of a site is in its configuration.',
    read: readSidekick,
  },
  'config.json': {
    part: 'public',
    address: '/public.json',
    why: 'The hosts answer /config.json from the configuration.',
    read: (_text, file) => ({
      parts: {},
      notes: [{ file, detail: 'It was left out: the hosts answer /config.json from the configuration.', isLeft: true }],
    }),
  },
} satisfies Readonly<Record<string, Kind>>;
export type FurtherFileName = keyof typeof FURTHER_FILES;
export const FURTHER_FILE_NAMES = Object.keys(FURTHER_FILES) as FurtherFileName[];

/** Whether it has the form of such a file takes a thread to find out, so it is not asked here. */
function readYamlFile(part: 'query' | 'sitemap'): Kind['read'] {
  return (yaml) => ({ parts: { [part]: { yaml } }, notes: [] });
}

/** Member by member: one that a sidekick here does not have keeps none of the others out. */
function readSidekick(text: string, name: string): FurtherFile {
  const file = readProjectFile(text);
  if ('problem' in file) {
    const { kind: _kind, detail, ...place } = file.problem;
    return { parts: {}, notes: [{ file: name, ...place, detail: `It was left out. ${detail}`, isLeft: true }] };
  }
  if (!isObject(file.value)) return { parts: {}, notes: [{ file: name, detail: 'It was left out: it is not an object.', isLeft: true }] };
  const taken: [string, unknown][] = [];
  const notes: LegacyNote[] = [];
  for (const [member, value] of Object.entries(file.value)) {
    const [issue] = Sidekick.safeParse({ [member]: value }).error?.issues ?? [];
    if (issue === undefined) taken.push([member, value]);
    else {
      const why = issue.code === 'unrecognized_keys' ? 'The sidekick of a site has nothing like it.' : issue.message;
      notes.push({
        file: name,
        ...file.placeOf(issue.path.length === 0 ? [member] : issue.path),
        detail: `${quoted(member)} was left out. ${why}`,
        isLeft: true,
      });
    }
  }
  return { parts: { sidekick: Sidekick.parse(Object.fromEntries(taken)) }, notes };
}
