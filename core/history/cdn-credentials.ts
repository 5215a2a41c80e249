import { at, isObject } from './json-values.ts';
import type { StoredDocument } from './history-port.ts';

/**
 * Members of the production CDN that are no credentials. All others authorize purging its caches, or may do so: written and stored, but
 * never shown.
 */
const OPEN: ReadonlySet<string> = new Set([
  'type',
  'host',
  'route',
  'serviceId',
  'plan',
  'zoneId',
  'endpoint',
  'envId',
  'distributionId',
  'tagInvalidationEnabled',
]);

export const HIDDEN = '••••••••';
const HIDDEN_NEW = `${HIDDEN} (new)`;

/** Takes a location whose keys and indexes are written as `*`. */
export function isCredential(location: string): boolean {
  const [member = ''] = location.slice(PROD.length).split('/');
  return location.startsWith(PROD) && !OPEN.has(member);
}
const PROD = 'cdn/prod/';

/** A CDN part that can be shown: with a placeholder for each credential. */
export function hideCredentials(cdn: unknown): unknown {
  return mapCredentials(cdn, () => HIDDEN);
}

/** A CDN part that was shown and edited, with the stored credentials instead of placeholders. A placeholder without one is dropped. */
export function revealCredentials(cdn: unknown, known: unknown): unknown {
  return mapCredentials(cdn, (value, name) => (value === HIDDEN ? at(known, 'prod', name) : value));
}

/**
 * Hides credentials in two states of a site, for the message about their difference: it says that a credential changed, but not its value.
 */
export function hidePair(
  before: StoredDocument,
  after: StoredDocument,
): { readonly before: StoredDocument; readonly after: StoredDocument } {
  const next = mapCredentials(at(after, 'cdn'), (value, name) => (value === at(before, 'cdn', 'prod', name) ? HIDDEN : HIDDEN_NEW));
  return { before: withCdn(before, hideCredentials(at(before, 'cdn'))), after: withCdn(after, next) };
}

function withCdn(document: StoredDocument, cdn: unknown): StoredDocument {
  return cdn === undefined ? document : { ...document, cdn };
}

function mapCredentials(cdn: unknown, map: (value: unknown, name: string) => unknown): unknown {
  if (!isObject(cdn) || !isObject(cdn['prod'])) return cdn;
  const prod = Object.entries(cdn['prod']).map(([name, value]) => [name, OPEN.has(name) ? value : map(value, name)] as const);
  return { ...cdn, prod: Object.fromEntries(prod.filter(([, value]) => value !== undefined)) };
}
