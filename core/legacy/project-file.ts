import { isAlias, isMap, isNode, isPair, isScalar, isSeq } from 'yaml';
import type { Document, LineCounter } from 'yaml';
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
