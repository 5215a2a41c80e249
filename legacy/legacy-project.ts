import { z } from 'zod';
import { parseDeliveryAddress } from '#contract/addresses.ts';
import { CONFIGURATION_PATH, contentRoot, Mappings, parseMapping, printMapping } from '#contract/mappings.ts';
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

export interface LegacyContent {
  readonly source: {
    readonly url: string;
    readonly type: 'markup' | 'onedrive' | 'google';
    readonly suffix?: string;
    readonly id?: string;
  };
  readonly folders: Readonly<Record<string, string>>;
  /** Paths of the mount points beside `/`, which have no counterpart. */
  readonly further: readonly string[];
}

/** What was made different from the file, for a person. */
export type LegacyNote =
  { readonly kind: 'root-slash'; readonly from: string; readonly to: string } | { readonly kind: 'configuration'; readonly page: string };

export interface LegacyPaths {
  readonly contentRoot: string;
  readonly mappings: string[];
  readonly includes: string[];
  /** Where it is not the usual one. */
  readonly configurationPage?: string;
  readonly notes: readonly LegacyNote[];
}

const Mountpoint = z.union([
  z.string().transform((url) => ({ url, type: undefined, suffix: undefined })),
  z.looseObject({ url: z.string(), type: z.string().optional(), suffix: z.string().optional() }),
]);
const Fstab = z.looseObject({ mountpoints: z.record(z.string(), z.unknown()), folders: z.record(z.string(), z.string()).nullish() });
const Paths = z.looseObject({ mappings: z.array(z.string()), includes: z.array(z.string()).optional() });
/** As a part of a configuration, which some projects keep in the file. */
const PathsPart = z.looseObject({ paths: Paths }).transform(({ paths }) => paths);

/** Reads a project's fstab.yaml: where its content comes from, and which folders one page stands for. */
export function readLegacyContent(text: string): LegacyContent | { problem: LegacyProblem } {
  const parsed = parseText(text);
  if ('problem' in parsed) return parsed;
  const fstab = Fstab.safeParse(parsed.value);
  const mountpoints = new Map(Object.entries(fstab.success ? fstab.data.mountpoints : {}));
  const root = Mountpoint.safeParse(mountpoints.get('/') ?? mountpoints.get(''));
  if (!root.success) {
    return { problem: { kind: 'no-mountpoint', ...placeIn(text, 'mountpoints'), detail: 'It has no mount point "/" with an address.' } };
  }
  const { url, suffix } = root.data;
  const type = sourceType(root.data);
  if (type === undefined) {
    return { problem: { kind: 'source-unknown', ...placeIn(text, url), detail: `The content source "${url}" has an unknown type.` } };
  }
  return {
    source: {
      url,
      type,
      ...(suffix === undefined || type !== 'markup' ? {} : { suffix }),
      ...(type === 'google' ? { id: driveFolder(url) } : {}),
    },
    folders: (fstab.success ? fstab.data.folders : undefined) ?? {},
    further: [...mountpoints.keys()].filter((key) => key !== '/' && key !== ''),
  };
}

/** Reads a project's paths.json and makes of it the mappings that the service needs. `root` stands in where it maps none. */
export function readLegacyPaths(text: string, root?: string): LegacyPaths | { problem: LegacyProblem } {
  const document = parseText(text);
  if ('problem' in document) return document;
  const parsed = z.union([Paths, PathsPart]).safeParse(document.value);
  if (!parsed.success)
    return { problem: { kind: 'form', detail: 'It has no list "mappings" of strings, neither at the top level nor in "paths".' } };
  const { mappings, includes = [] } = parsed.data;
  const valid = Mappings.safeParse(mappings);
  if (!valid.success) {
    const [issue] = valid.error.issues;
    const wrong = mappings[Number(issue?.path[0] ?? 0)] ?? '';
    return { problem: { kind: 'form', ...placeIn(text, wrong), detail: issue?.message ?? 'Its mappings are not valid.' } };
  }
  const contentPath = contentRoot(mappings) ?? root?.replace(/\/$/, '');
  if (contentPath === undefined) return { problem: { kind: 'no-root', ...placeIn(text, 'mappings'), detail: 'It maps nothing to "/".' } };
  return completed(contentPath, mappings, includes);
}

function completed(contentPath: string, mappings: readonly string[], includes: string[]): LegacyPaths {
  const notes: LegacyNote[] = [];
  const kept = mappings.map((mapping) => wholeTree(mapping, notes));
  const configuration = kept.map(parseMapping).find((mapping) => 'public' in mapping && mapping.public === CONFIGURATION_PATH);
  const usual = `${contentPath}/configuration`;
  const page = configuration !== undefined && 'content' in configuration ? configuration.content : usual;
  if (configuration === undefined) notes.push({ kind: 'configuration', page });
  const needed = [
    { content: `${contentPath}/`, public: '/' },
    { content: page, public: CONFIGURATION_PATH },
  ].filter((mapping) => !kept.some((one) => publicPath(one) === mapping.public));
  return {
    contentRoot: contentPath,
    mappings: [...kept, ...needed.map(printMapping)],
    includes: includes.some((prefix) => `${contentPath}/`.startsWith(prefix)) ? includes : [...includes, `${contentPath}/`],
    notes,
    ...(page === usual ? {} : { configurationPage: page }),
  };
}

/** `/content/site:/` means the root page alone; what a project means by it is the root and all below. */
function wholeTree(text: string, notes: LegacyNote[]): string {
  const mapping = parseMapping(text);
  if (!('public' in mapping) || mapping.public !== '/' || mapping.content.endsWith('/')) return text;
  const whole = printMapping({ ...mapping, content: `${mapping.content}/` });
  notes.push({ kind: 'root-slash', from: text, to: whole });
  return whole;
}

function publicPath(text: string): string {
  const mapping = parseMapping(text);
  return 'public' in mapping ? mapping.public : text;
}

function sourceType({ url, type }: { url: string; type?: string | undefined }): LegacyContent['source']['type'] | undefined {
  if (type === 'markup' || type === 'onedrive' || type === 'google') return type;
  if (!URL.canParse(url)) return undefined;
  if (parseDeliveryAddress(url) !== undefined) return 'markup';
  const { hostname } = new URL(url);
  if (hostname === 'drive.google.com') return 'google';
  return hostname.endsWith('.sharepoint.com') ? 'onedrive' : undefined;
}

/** Google Drive names a folder by the end of its address: `…/folders/<id>`. */
function driveFolder(url: string): string {
  return URL.canParse(url) ? (new URL(url).pathname.split('/').findLast((segment) => segment !== '') ?? '') : '';
}

/** Both files: JSON is YAML. */
function parseText(text: string): { value: unknown } | { problem: LegacyProblem } {
  const read = readYaml(text);
  return 'value' in read ? read : { problem: { kind: 'unparsable', ...read.problem } };
}

/** Where a part of a text begins; nowhere where it is not in it. */
export function placeIn(text: string, part: string): LegacyPlace {
  const at = part === '' ? -1 : text.indexOf(part);
  if (at < 0) return {};
  const before = text.slice(0, at).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
