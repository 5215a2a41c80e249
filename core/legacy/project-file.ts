import type { SiteInput } from '@repoless/contract/site.ts';
import { Sidekick } from '@repoless/contract/site-parts.ts';
import { type Document, isAlias, isMap, isNode, isPair, isScalar, isSeq, type LineCounter } from 'yaml';
import { readYaml } from './read-yaml.ts';

/** A position in a file; both count from 1. */
export interface LegacyLocation {
  readonly line?: number;
  readonly column?: number;
}

/** Why a project file cannot be migrated. */
export interface LegacyProblem extends LegacyLocation {
  readonly kind: 'unparsable' | 'no-mountpoint' | 'source-unknown' | 'no-root' | 'form';
  /** A sentence for a person about what was found. */
  readonly detail: string;
}

/** A note for a person about a migrated file; `isLeft`: part of the file has no counterpart. */
export interface LegacyNote extends LegacyLocation {
  readonly file: string;
  /** A sentence without values of the file that could be secrets. */
  readonly detail: string;
  readonly isLeft?: true;
}

/** A parsed project file with the positions of its values. */
export interface LegacyFile {
  readonly value: unknown;
  /** The position of a value; if it is missing, that of its parent. */
  locationOf(path: readonly PropertyKey[]): LegacyLocation;
}

/** Parses YAML, or JSON, which is YAML. `<<` merges objects, as in the public service. */
export function readProjectFile(text: string): LegacyFile | { problem: LegacyProblem } {
  const read = readYaml(text);
  if ('problem' in read) return { problem: { kind: 'unparsable', ...read.problem } };
  const { value, document, lineCounter } = read;
  return { value, locationOf: (path) => locationIn(document, lineCounter, path) };
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A value as a string, if the public service accepts it as one: it converts numbers, and uses a list of one as its item. */
export function asText(value: unknown): string | undefined {
  const one: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
  if (typeof one === 'string') return one;
  return typeof one === 'number' || typeof one === 'boolean' ? String(one) : undefined;
}

/** Quotes a name from a file for a sentence, which may be sent in a header: short, and in ASCII. */
export function quoted(name: string): string {
  const short = name.length > SHOWN ? `${name.slice(0, SHOWN)}…` : name;
  return JSON.stringify(short).replaceAll(/[^\x20-\x7e]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** An address for a sentence, without the credentials in it. */
export function shownAddress(address: string): string {
  return quoted(address.replace(/^([a-z][a-z0-9+.-]*:\/*)[^/@?#]*@/i, '$1'));
}

function locationIn(document: Document, lines: LineCounter, path: readonly PropertyKey[]): LegacyLocation {
  let node: unknown = document.contents;
  let offset = isNode(node) ? node.range?.[0] : undefined;
  for (const key of path) {
    const resolved: unknown = isAlias(node) ? node.resolve(document) : node;
    const next: unknown = isMap(resolved)
      ? resolved.items.find((pair) => isPair(pair) && String(pair.key) === String(key))
      : isSeq(resolved)
        ? resolved.items[Number(key)]
        : undefined;
    const located: unknown = isPair(next) ? (isScalar(next.value) && next.value.value !== null ? next.value : next.key) : next;
    if (!isNode(located)) break;
    offset = located.range?.[0] ?? offset;
    node = isPair(next) ? next.value : next;
  }
  if (offset === undefined) return {};
  const { line, col } = lines.linePos(offset);
  return { line: Math.max(1, line), column: Math.max(1, col) };
}

const SHOWN = 200;

/** The result of a further project file: parts of a site, and notes on what has no counterpart. */
export interface FurtherFile {
  readonly parts: Pick<SiteInput, 'robots' | 'query' | 'sitemap' | 'sidekick'>;
  readonly notes: readonly LegacyNote[];
}

interface Kind {
  /** The part of a site that replaces the file, and its address below that of the site. */
  readonly part: 'robots' | 'query' | 'sitemap' | 'sidekick' | 'public';
  readonly address: string;
  /** Why the file in the repository is not enough. */
  readonly why: string;
  readonly read: (text: string, name: string) => FurtherFile;
}

/**
 * Files besides fstab.yaml and paths.json that belong in a site's configuration. Everything else in a repository is code and stays there.
 */
export const FURTHER_FILES = {
  'robots.txt': {
    part: 'robots',
    address: '/robots.txt',
    why: 'The live host serves the robots.txt of the configuration.',
    read: (txt) => ({ parts: { robots: { txt } }, notes: [] }),
  },
  'helix-query.yaml': {
    part: 'query',
    address: '/content/query.yaml',
    why: 'The service serves and checks the one of the configuration.',
    read: readYamlFile('query'),
  },
  'helix-sitemap.yaml': {
    part: 'sitemap',
    address: '/content/sitemap.yaml',
    why: 'The service serves and checks the one of the configuration.',
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

/** Whether it has the form of such a file is not checked here, because that takes a thread. */
function readYamlFile(part: 'query' | 'sitemap'): Kind['read'] {
  return (yaml) => ({ parts: { [part]: { yaml } }, notes: [] });
}

/** Member by member: an unsupported one doesn't exclude the others. */
function readSidekick(text: string, name: string): FurtherFile {
  const file = readProjectFile(text);
  if ('problem' in file) {
    const { kind: _kind, detail, ...located } = file.problem;
    return { parts: {}, notes: [{ file: name, ...located, detail: `It was left out. ${detail}`, isLeft: true }] };
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
        ...file.locationOf(issue.path.length === 0 ? [member] : issue.path),
        detail: `${quoted(member)} was left out. ${why}`,
        isLeft: true,
      });
    }
  }
  return { parts: { sidekick: Sidekick.parse(Object.fromEntries(taken)) }, notes };
}
