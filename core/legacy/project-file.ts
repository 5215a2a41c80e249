import type { SiteInput } from '@repoless/contract/site.ts';
import { Sidekick } from '@repoless/contract/site-parts.ts';
import { type Document, isAlias, isMap, isNode, isPair, isScalar, isSeq, type LineCounter } from 'yaml';
import { readYaml } from './read-yaml.ts';

/** Where something stands in a file; both count from 1. */
export interface LegacyPlace {
  readonly line?: number;
  readonly column?: number;
}

/** Why a file of a project cannot be taken over. */
export interface LegacyProblem extends LegacyPlace {
  readonly kind: 'unparsable' | 'no-mountpoint' | 'source-unknown' | 'no-root' | 'form';
  /** A sentence about what is there, for a person. */
  readonly detail: string;
}

/** What a person should know of a file that is taken over; `isLeft`: something in it has no counterpart. */
export interface LegacyNote extends LegacyPlace {
  readonly file: string;
  /** A sentence without values of the file that could be secrets. */
  readonly detail: string;
  readonly isLeft?: true;
}

/** A file of a project, parsed, with the places of what is in it. */
export interface LegacyFile {
  readonly value: unknown;
  /** Of a value; where it is missing, that of what should hold it. */
  placeOf(path: readonly PropertyKey[]): LegacyPlace;
}

/** YAML or JSON, which is YAML. `<<` lays one object over another, as the public service reads it. */
export function readProjectFile(text: string): LegacyFile | { problem: LegacyProblem } {
  const read = readYaml(text);
  if ('problem' in read) return { problem: { kind: 'unparsable', ...read.problem } };
  const { value, document, lineCounter } = read;
  return { value, placeOf: (path) => placeIn(document, lineCounter, path) };
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A value of a file as a text, where the public service takes it for one: it writes numbers out, and takes a list of one for its item. */
export function asText(value: unknown): string | undefined {
  const one: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
  if (typeof one === 'string') return one;
  return typeof one === 'number' || typeof one === 'boolean' ? String(one) : undefined;
}

/** A name of somebody's file in a sentence, also of one that is sent in a header: short, and in ASCII. */
export function quoted(name: string): string {
  const short = name.length > SHOWN ? `${name.slice(0, SHOWN)}…` : name;
  return JSON.stringify(short).replaceAll(/[^\x20-\x7e]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** An address in a sentence: without the credentials that somebody wrote into it. */
export function shownAddress(address: string): string {
  return quoted(address.replace(/^([a-z][a-z0-9+.-]*:\/*)[^/@?#]*@/i, '$1'));
}

function placeIn(document: Document, lines: LineCounter, path: readonly PropertyKey[]): LegacyPlace {
  let node: unknown = document.contents;
  let offset = isNode(node) ? node.range?.[0] : undefined;
  for (const key of path) {
    const held: unknown = isAlias(node) ? node.resolve(document) : node;
    const next: unknown = isMap(held)
      ? held.items.find((pair) => isPair(pair) && String(pair.key) === String(key))
      : isSeq(held)
        ? held.items[Number(key)]
        : undefined;
    const place: unknown = isPair(next) ? (isScalar(next.value) && next.value.value !== null ? next.value : next.key) : next;
    if (!isNode(place)) break;
    offset = place.range?.[0] ?? offset;
    node = isPair(next) ? next.value : next;
  }
  if (offset === undefined) return {};
  const { line, col } = lines.linePos(offset);
  return { line: Math.max(1, line), column: Math.max(1, col) };
}

const SHOWN = 200;

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
