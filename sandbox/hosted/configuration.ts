import { ProfileName } from '@repoless/contract/names.ts';
import { type Answer, type ReceivedRequest, bodyOf, isWrite, Refusal, type Target } from './received-request.ts';
import { answerCollection, isCollection } from './collections.ts';
import { type Context, storeDocument } from './context.ts';
import { isPartPath } from './schema.ts';
import { changed, effective, type StoredItem, isObject, type Json, objectAt, shown, textAt, valueAt, withValue } from './store.ts';
import type { HostedSwitches } from './switches.ts';

type DocumentTarget = Extract<Target, { kind: 'document' }>;

/** The lists of sites and profiles. */
export function answerList({ store, guard, request }: Context, { org, of }: Extract<Target, { kind: 'list' }>): Answer {
  guard.require('org:read', org, undefined);
  readOnly(request);
  const isDetailed = request.query.get('details') === 'true';
  const rows = store.all(of, org).map(({ name, document }) => ({
    name,
    path: `/config/${org}/${of}/${name}.json`,
    ...(isDetailed ? details(shown(document ?? {})) : {}),
  }));
  return { status: 200, json: { [of]: rows } };
}

function details({ content, code, cdn }: Json): Json {
  const host = valueAt(cdn, ['prod', 'host']);
  return { content, code, ...(host === undefined ? {} : { cdn: { prod: { host } } }) };
}

/** A site merged over its profile; callers with only the role `config` see part of it. */
export function answerAggregated({ store, guard, request }: Context, { org, site }: Extract<Target, { kind: 'aggregated' }>): Answer {
  const item = store.find('sites', org, site);
  guard.require('aggregate:read', org, item);
  readOnly(request);
  if (item?.document === undefined) throw new Refusal(404, 'no such config');
  const whole = shown(effective(store, item));
  const mayReadAll = guard.roles(org, item).some((role) => role === 'admin' || role === 'config_admin');
  const { version, code, content, headers, extends: profile } = whole;
  const prod = objectAt(whole, 'cdn', 'prod');
  const cdn = { prod: { host: prod['host'], type: prod['type'] } };
  return { status: 200, json: mayReadAll ? whole : { version, code, content, headers, extends: profile, cdn } };
}

/** A site, a profile or an organization: complete, by part, and what is stored next to it. */
export function answerDocument(context: Context, target: DocumentTarget): Answer {
  const { request, store } = context;
  const { org, of, name, rest } = target;
  if (!isName(org) || !(of === 'org' || (of === 'sites' ? isName(name) : ProfileName.safeParse(name).success))) throw new Refusal(400);
  permit(context, target);
  if (request.method === 'HEAD' && !context.switches.head) throw new Refusal(405);
  const item = store.itemOf(of, org, name);
  const path = rest.split('/');
  if (rest === '') return answerWhole(context, item);
  if (path[0] === 'versions') return answerVersions(context, item, path[1]);
  if (rest === 'robots.txt' || rest.endsWith('.yaml')) return answerText(context, item, rest);
  if (isCollection(of, path)) return answerCollection(context, item, path);
  if (!isPartPath(of, path))
    throw new Refusal(400, `Error ${isWrite(request.method) ? 'updating' : 'reading'} config: invalid object path.`);
  return answerPart(context, item, path);
}

function isName(name: string): boolean {
  return /^[a-z0-9][a-z0-9-]*$/.test(name);
}

function permit({ request, guard, store }: Context, { org, of, name, rest }: DocumentTarget): void {
  const site = of === 'sites' ? store.find('sites', org, name) : undefined;
  const [part] = rest.split('/');
  if (!isWrite(request.method)) return guard.require(of === 'sites' ? 'config:read' : 'org:read', org, site);
  if (of === 'org' || (rest === '' && request.method === 'PUT')) guard.require('org:write', org, undefined);
  else if (part === 'access') guard.require('access:write', org, site, 'Error updating config: ');
  else if (part === 'apiKeys') guard.require('keys:write', org, site);
  else if (rest === '' && request.method === 'DELETE' && !guard.roles(org, undefined).includes('config_admin'))
    guard.require('access:write', org, site);
  else guard.require('config:write', org, site);
  if (part === 'apiKeys' && guard.caller.kind === 'key') throw new Refusal(403, 'not authorized');
}

function answerWhole(context: Context, item: StoredItem): Answer {
  const { request, store, switches, guard } = context;
  const current = item.document;
  switch (request.method) {
    case 'PUT':
      if (current !== undefined) throw new Refusal(409, 'Error creating config: config already exists.', 'AEM_BACKEND_CONFIG_CREATE');
      if (request.generation === 'H6' && !switches.successorCreates) throw new Refusal(404);
      storeDocument(context, item, bodyOf(request), 'creating');
      return { status: 201 };
    case 'POST': {
      const restored = request.query.get('restoreVersion');
      const desired = restored === null ? bodyOf(request) : item.versions.find(({ version }) => version === Number(restored))?.data;
      if (desired === undefined) throw new Refusal(404, 'Error updating config: version not found.');
      const next = isObject(desired) ? withCredentials(desired, current ?? {}, switches, restored !== null) : desired;
      if (JSON.stringify(valueAt(next, ['access'])) !== JSON.stringify(current?.['access']) && item.of === 'sites')
        guard.require('access:write', item.org, item, 'Error updating config: ');
      const created = current?.['created'];
      const saved = storeDocument(context, item, isObject(next) && created !== undefined ? { ...next, created } : next, 'updating');
      return { status: 200, json: shown(saved) };
    }
    case 'DELETE':
      if (current === undefined) throw new Refusal(404);
      store.remove(item);
      return { status: 204 };
    default:
      if (current === undefined) throw new Refusal(404);
      return { status: 200, json: shown(current) };
  }
}

/** What happens to credentials when a complete document without their values is written. */
function withCredentials(document: Json, current: Json, switches: HostedSwitches, isRestored: boolean): Json {
  const preserved = ['secrets', 'tokens', 'apiKeys'].filter(
    (part) => document[part] === undefined && current[part] !== undefined && (isRestored || !switches.wholePostDropsKeys),
  );
  const carried = { ...document, ...Object.fromEntries(preserved.map((part) => [part, current[part]])) };
  return changed(carried, (entry, name, part) => {
    if (entry['hash'] !== undefined || entry['value'] !== undefined) return entry;
    const stored = objectAt(current, part, name);
    const isLost = switches.wholePostBreaksKeys || stored['id'] === undefined;
    return isLost ? { ...entry, hash: 'lost' } : { ...entry, ...stored };
  });
}

function answerPart(context: Context, item: StoredItem, path: readonly string[]): Answer {
  const { request } = context;
  const { document } = item;
  if (request.method === 'PUT') throw new Refusal(409, 'Error creating config: create not supported on substructures.');
  const current = valueAt(document, path);
  if (request.method === 'DELETE') {
    if (document === undefined || current === undefined)
      throw new Refusal(404, 'Error removing config: object not found.', 'AEM_BACKEND_CONFIG_DELETE');
    storeDocument(context, item, withValue(document, path, undefined), 'removing');
    return { status: 204 };
  }
  if (request.method !== 'POST') {
    if (current === undefined) throw new Refusal(404);
    return { status: 200, json: current };
  }
  if (document === undefined) throw new Refusal(404, 'Error updating config: config not found.');
  const body = bodyOf(request);
  const isFirstAdmin = path.join('/') === 'access/admin' && current === undefined && isObject(body);
  const saved = storeDocument(context, item, withValue(document, path, isFirstAdmin ? { requireAuth: 'auto', ...body } : body), 'updating');
  return { status: 200, json: valueAt(shown(saved), path) };
}

function answerVersions({ request }: Context, item: StoredItem, number: string | undefined): Answer {
  const { versions } = item;
  const list = versions.map(({ data: _data, ...rest }) => rest);
  if (number === undefined) {
    readOnly(request);
    if (list.length === 0) throw new Refusal(404);
    return { status: 200, json: { current: list.at(-1)?.version, versions: list } };
  }
  const found = versions.find(({ version }) => String(version) === number);
  if (found === undefined) throw new Refusal(404);
  if (request.method === 'POST') found.name = textAt(bodyOf(request), 'name');
  if (request.method !== 'DELETE') return { status: 200, json: found };
  item.versions = versions.filter((one) => one !== found);
  return { status: 204 };
}

/** `robots.txt`, and the definitions of indexes and sitemaps. */
function answerText(context: Context, item: StoredItem, rest: string): Answer {
  const { request, switches, store } = context;
  const text = request.body.toString();
  const media = String(request.headers['content-type']).split(';')[0] ?? '';
  if (rest === 'robots.txt') {
    if (request.method !== 'POST') {
      const robots = textAt(item.document, 'robots', 'txt');
      if (robots === '') throw new Refusal(404);
      return { status: 200, text: robots, headers: { 'content-type': 'text/plain; charset=utf-8' } };
    }
    if (media === 'text/plain' && !switches.robotsText) throw new Refusal(400, 'missing body');
    if (item.document === undefined) throw new Refusal(404, 'Error updating config: config not found.');
    const txt = media === 'text/plain' ? text : textAt(bodyOf(request), 'txt');
    storeDocument(context, item, { ...item.document, robots: { txt } }, 'updating');
    return { status: 200, text: txt, headers: { 'content-type': 'text/plain; charset=utf-8' } };
  }
  if (item.document === undefined) throw new Refusal(404);
  const current = item.yaml.get(rest);
  if (request.method === 'GET' || request.method === 'HEAD') {
    if (current === undefined) throw new Refusal(404);
    return { status: 200, text: current, headers: { 'content-type': 'text/yaml; charset=utf-8' } };
  }
  const busId = textAt(item.document, 'content', 'contentBusId');
  const primary = store.all('sites').find(({ document }) => textAt(document, 'content', 'contentBusId') === busId);
  if (primary !== undefined && primary !== item)
    throw new Refusal(403, `Content operation restricted to the primary site: ${primary.org}/${primary.name}`);
  if (request.method === 'DELETE') {
    if (!item.yaml.delete(rest)) throw new Refusal(404);
    return { status: 204 };
  }
  if (request.method === 'PUT' && current !== undefined) throw new Refusal(409, `${rest} already exists.`);
  if (request.method === 'POST' && current === undefined) throw new Refusal(404, `${rest} not found.`, 'AEM_BACKEND_CONFIG_MISSING');
  if (!media.endsWith('yaml')) throw new Refusal(400, `invalid content type: ${media}`);
  if (!/^(?:version|indices|sitemaps)\s*:/m.test(text)) throw new Refusal(400, 'invalid format');
  item.yaml.set(rest, text);
  return { status: request.method === 'PUT' ? 201 : 204 };
}

function readOnly({ method }: ReceivedRequest): void {
  if (method !== 'GET') throw new Refusal(405);
}
