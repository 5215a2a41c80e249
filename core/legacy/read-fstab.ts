import { parseDeliveryAddress } from '@repoless/contract/addresses.ts';
import { ContentSource, Folders } from '@repoless/contract/site.ts';
import { asText, isObject, quoted, readProjectFile, shownAddress } from './project-file.ts';
import type { LegacyFile, LegacyNote, LegacyLocation, LegacyProblem } from './project-file.ts';

export const FSTAB = 'fstab.yaml';

export interface LegacyContent {
  readonly source: ContentSource['source'];
  readonly overlay?: NonNullable<ContentSource['overlay']>;
  readonly folders: Readonly<Record<string, string>>;
  readonly notes: readonly LegacyNote[];
  readonly location: LegacyLocation;
}

/**
 * Reads a project's fstab.yaml: content sources and folders. Returns what a site adopts, and a note on everything else, so that nothing is
 * lost silently.
 */
export function readFstab(text: string): LegacyContent | { problem: LegacyProblem } {
  const file = readProjectFile(text);
  if ('problem' in file) return file;
  const fstab = isObject(file.value) ? file.value : {};
  const mountpoints = fstab['mountpoints'];
  if (!isObject(mountpoints)) {
    const detail = mountpoints === undefined ? 'It has no "mountpoints".' : '"mountpoints" is not an object with a path for each source.';
    return { problem: { kind: 'no-mountpoint', ...file.locationOf(['mountpoints']), detail } };
  }
  const root = ['/', ''].find((path) => Object.hasOwn(mountpoints, path));
  if (root === undefined)
    return { problem: { kind: 'no-mountpoint', ...file.locationOf(['mountpoints']), detail: 'It has no mount point "/".' } };
  const path = ['mountpoints', root];
  const mounted = mountOf({ file, path, value: mountpoints[root] });
  if ('problem' in mounted) return mounted;
  const others = Object.keys(mountpoints).filter((key) => key !== root);
  const further = others.map((key) =>
    left(file, ['mountpoints', key], `The mount point ${quoted(key)} was left out: a site has one source.`),
  );
  const unknown = Object.keys(fstab).filter((key) => key !== 'mountpoints' && key !== 'folders');
  const folders = foldersOf(file, fstab['folders']);
  return {
    ...mounted,
    folders: folders.taken,
    notes: [
      ...mounted.notes,
      ...further,
      ...folders.notes,
      ...unknown.map((key) => left(file, [key], `${quoted(key)} was left out: ${NOTHING_LIKE_IT}.`)),
    ],
  };
}

interface MountPoint {
  readonly file: LegacyFile;
  readonly path: readonly string[];
  readonly value: unknown;
}

type Source = ContentSource['source'];

function mountOf({ file, path, value }: MountPoint): Omit<LegacyContent, 'folders'> | { problem: LegacyProblem } {
  const members = isObject(value) ? value : { url: value };
  const urlPath = isObject(value) ? [...path, 'url'] : path;
  const location = file.locationOf(urlPath);
  const address = members['url'];
  if (typeof address !== 'string' || address === '')
    return { problem: { kind: 'no-mountpoint', ...location, detail: 'The mount point "/" has no address ("url").' } };
  const source = sourceOf(address, members['type']);
  if ('detail' in source) return { problem: { kind: 'source-unknown', ...location, detail: source.detail } };
  const notes: LegacyNote[] = [];
  const draft: Draft = {
    source,
    leave: (at, why) => void notes.push(left(file, [...path, ...at], `${quoted(at.at(-1) ?? '')} was left out: ${why}.`)),
  };
  for (const [name, member] of Object.entries(isObject(value) ? value : {})) readMember(name, member, draft);
  if (source.fallbackPath !== undefined) draft.leave(isObject(value) ? ['url', 'fallbackPath'] : ['fallbackPath'], NO_FALLBACK);
  const { fallbackPath: _named, ...sent } = source;
  const { overlay } = draft;
  const valid = ContentSource.safeParse({ source: sent, ...(overlay === undefined ? {} : { overlay }) });
  if (valid.success) return { source: valid.data.source, ...(valid.data.overlay && { overlay: valid.data.overlay }), notes, location };
  const [issue] = valid.error.issues;
  const [part, ...within] = issue?.path ?? [];
  const at = isObject(value) ? [...path, ...(part === 'overlay' ? [part] : []), ...within] : path;
  return { problem: { kind: 'form', ...file.locationOf(at), detail: issue?.message ?? 'The source of the content is not valid.' } };
}

interface Draft {
  readonly source: { type: Source['type']; url: string; fallbackPath?: string } & Partial<Record<OwnMember, string>>;
  overlay?: { url: string; type: string; suffix?: string };
  /** Records why a member was left out. */
  leave(path: readonly string[], why: string): void;
}
type OwnMember = 'suffix' | 'id' | 'tenantId' | 'itemId';

/** Adopts a member; returns why it is left out, if it is. */
type ReadMember = (value: unknown, draft: Draft) => string | undefined;

const NO_FALLBACK = 'a missing page is not replaced by another';

export const MOUNT_MEMBERS = {
  url: () => undefined,
  type: (value, { source }) => (value === source.type ? undefined : `by its address it is "${source.type}"`),
  suffix: ofType('markup', 'suffix'),
  id: ofType('google', 'id'),
  tenantId: ofType('onedrive', 'tenantId'),
  itemId: ofType('onedrive', 'itemId'),
  overlay: readOverlay,
  contentBusId: () => 'the service derives it from the address',
  fallbackPath: () => NO_FALLBACK,
  credentials: () => 'the service does not sign in to read content',
} satisfies Record<string, ReadMember>;

function readMember(name: string, value: unknown, draft: Draft): void {
  const read = Object.entries<ReadMember>(MOUNT_MEMBERS).find(([known]) => known === name)?.[1];
  const why = read === undefined ? NOTHING_LIKE_IT : read(value, draft);
  if (why !== undefined) draft.leave([name], why);
}

function ofType(type: Source['type'], member: OwnMember): ReadMember {
  return (value, { source }) => {
    if (source.type !== type) return `a content source of the type "${source.type}" has none`;
    const text = asText(value);
    if (text === undefined) return 'it is not a string';
    source[member] = text;
    return undefined;
  };
}

function readOverlay(value: unknown, draft: Draft): string | undefined {
  const { url, type = 'markup', suffix, ...others } = isObject(value) ? value : { url: value };
  const address = typeof url === 'string' ? parsedAddress(url) : undefined;
  if (typeof url !== 'string' || address === undefined || type !== 'markup') return 'an overlay is an address of the type "markup"';
  const ending = suffix === undefined ? undefined : asText(suffix);
  if (suffix !== undefined && ending === undefined) draft.leave(['overlay', 'suffix'], 'it is not a string');
  for (const name of Object.keys(others)) draft.leave(['overlay', name], NOTHING_LIKE_IT);
  draft.overlay = { url: unchanged(url, address), type: 'markup', ...(ending === undefined ? {} : { suffix: ending }) };
  return undefined;
}

/** The address takes precedence over the declared type, as in the public library; for other addresses, the type decides. */
function sourceOf(address: string, declared: unknown): Draft['source'] | { detail: string } {
  const url = parsedAddress(address);
  if (url === undefined) return { detail: `The content source ${shownAddress(address)} is not an address.` };
  if (url.username + url.password !== '') return { detail: 'Remove the user name and password from the address; others can read it.' };
  const type = typeOf(address) ?? declared;
  if (type === 'markup') return { type, url: unchanged(address, url) };
  if (type !== 'onedrive' && type !== 'google') {
    const detail = `The content source ${shownAddress(address)} has an unknown type. Content comes from markup, onedrive or google.`;
    return { detail: GITHUB.test(address) ? 'Content from a repository of the code host is not supported.' : detail };
  }
  const fallbackPath = url.searchParams.get('fallbackPath');
  if (fallbackPath !== null) url.searchParams.delete('fallbackPath');
  return {
    type,
    url: url.href,
    ...(fallbackPath === null ? {} : { fallbackPath }),
    ...(type === 'google' ? { id: driveFolder(url) } : {}),
  };
}

function typeOf(address: string): Source['type'] | undefined {
  if (/^https:\/\/(?:[a-z0-9-]+\.sharepoint\.com|1drv\.ms)\/|^onedrive:/.test(address)) return 'onedrive';
  if (/^https:\/\/drive\.google\.com\/|^gdrive:/.test(address)) return 'google';
  return parseDeliveryAddress(address) === undefined ? undefined : 'markup';
}

/** The end of a Google Drive address identifies a folder: `…/folders/<id>`. */
function driveFolder({ protocol, pathname }: URL): string {
  return protocol === 'gdrive:' ? pathname : (pathname.split('/').findLast((segment) => segment !== '') ?? '');
}

function parsedAddress(address: string): URL | undefined {
  return URL.canParse(address) ? new URL(address) : undefined;
}

/** As written, unless it must be encoded. */
function unchanged(address: string, url: URL): string {
  return /^[!#-;=?-[\]_a-z~]*$/.test(address) ? address : url.href;
}

/** Entries that a site cannot have are reported with their line; the others are adopted. */
function foldersOf(file: LegacyFile, value: unknown): { taken: Record<string, string>; notes: LegacyNote[] } {
  if (value === undefined || value === null) return { taken: {}, notes: [] };
  if (!isObject(value))
    return { taken: {}, notes: [left(file, ['folders'], '"folders" was left out: it is not an object with a page for each path.')] };
  const notes: LegacyNote[] = [];
  const taken: [string, string][] = [];
  for (const [path, page] of Object.entries(value)) {
    const text = asText(page);
    const valid = Folders.safeParse({ [path]: text });
    if (text !== undefined && text !== '' && valid.success) taken.push([path, text]);
    else {
      const [issue] = valid.error?.issues ?? [];
      const why = text === undefined || text === '' ? 'Write the path of one page.' : (issue?.message ?? 'Write the path of one page.');
      notes.push(left(file, ['folders', path], `The folder ${quoted(path)} was left out. ${why}`));
    }
  }
  return { taken: Object.fromEntries(taken), notes };
}

function left(file: LegacyFile, path: readonly string[], detail: string): LegacyNote {
  return { file: FSTAB, ...file.locationOf(path), detail, isLeft: true };
}

const NOTHING_LIKE_IT = 'a site has nothing like it';
const GITHUB = /^https:\/\/github\.com\//;
