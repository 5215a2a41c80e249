import { ProfileName } from '@repoless/contract/names.ts';
import { type Answer, type Asked, bodyOf, isWrite, Refusal, type Place } from './asked.ts';
import { answerCollection, isCollection } from './collections.ts';
import { type Context, keep } from './context.ts';
import { isPartPath } from './schema.ts';
import { changed, effective, type Holding, isObject, type Json, objectAt, shown, textAt, valueAt, withValue } from './store.ts';
import type { HostedSwitches } from './switches.ts';

type DocumentPlace = Extract<Place, { kind: 'document' }>;

/** The lists of sites and profiles. */
export function answerList({ store, guard, asked }: Context, { org, of }: Extract<Place, { kind: 'list' }>): Answer {
  guard.require('org:read', org, undefined);
  readOnly(asked);
  const isDetailed = asked.query.get('details') === 'true';
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
export function answerAggregated({ store, guard, asked }: Context, { org, site }: Extract<Place, { kind: 'aggregated' }>): Answer {
  const holding = store.find('sites', org, site);
  guard.require('aggregate:read', org, holding);
  readOnly(asked);
  if (holding?.document === undefined) throw new Refusal(404, 'no such config');
  const whole = shown(effective(store, holding));
  const mayReadAll = guard.roles(org, holding).some((role) => role === 'admin' || role === 'config_admin');
  const { version, code, content, headers, extends: profile } = whole;
  const prod = objectAt(whole, 'cdn', 'prod');
  const cdn = { prod: { host: prod['host'], type: prod['type'] } };
  return { status: 200, json: mayReadAll ? whole : { version, code, content, headers, extends: profile, cdn } };
}

/** A site, a profile or an organization: complete, by part, and what is stored next to it. */
export function answerDocument(context: Context, place: DocumentPlace): Answer {
  const { asked, store } = context;
  const { org, of, name, rest } = place;
  if (!isName(org) || !(of === 'org' || (of === 'sites' ? isName(name) : ProfileName.safeParse(name).success))) throw new Refusal(400);
  permit(context, place);
  if (asked.method === 'HEAD' && !context.switches.head) throw new Refusal(405);
  const holding = store.place(of, org, name);
  const path = rest.split('/');
  if (rest === '') return answerWhole(context, holding);
  if (path[0] === 'versions') return answerVersions(context, holding, path[1]);
  if (rest === 'robots.txt' || rest.endsWith('.yaml')) return answerText(context, holding, rest);
  if (isCollection(of, path)) return answerCollection(context, holding, path);
  if (!isPartPath(of, path)) throw new Refusal(400, `Error ${isWrite(asked.method) ? 'updating' : 'reading'} config: invalid object path.`);
  return answerPart(context, holding, path);
}

function isName(name: string): boolean {
  return /^[a-z0-9][a-z0-9-]*$/.test(name);
}

function permit({ asked, guard, store }: Context, { org, of, name, rest }: DocumentPlace): void {
  const site = of === 'sites' ? store.find('sites', org, name) : undefined;
  const [part] = rest.split('/');
  if (!isWrite(asked.method)) return guard.require(of === 'sites' ? 'config:read' : 'org:read', org, site);
  if (of === 'org' || (rest === '' && asked.method === 'PUT')) guard.require('org:write', org, undefined);
  else if (part === 'access') guard.require('access:write', org, site, 'Error updating config: ');
  else if (part === 'apiKeys') guard.require('keys:write', org, site);
  else if (rest === '' && asked.method === 'DELETE' && !guard.roles(org, undefined).includes('config_admin'))
    guard.require('access:write', org, site);
  else guard.require('config:write', org, site);
  if (part === 'apiKeys' && guard.caller.kind === 'key') throw new Refusal(403, 'not authorized');
}

function answerWhole(context: Context, holding: Holding): Answer {
  const { asked, store, switches, guard } = context;
  const present = holding.document;
  switch (asked.method) {
    case 'PUT':
      if (present !== undefined) throw new Refusal(409, 'Error creating config: config already exists.', 'AEM_BACKEND_CONFIG_CREATE');
      if (asked.generation === 'H6' && !switches.successorCreates) throw new Refusal(404);
      keep(context, holding, bodyOf(asked), 'creating');
      return { status: 201 };
    case 'POST': {
      const restored = asked.query.get('restoreVersion');
      const wanted = restored === null ? bodyOf(asked) : holding.versions.find(({ version }) => version === Number(restored))?.data;
      if (wanted === undefined) throw new Refusal(404, 'Error updating config: version not found.');
      const next = isObject(wanted) ? withCredentials(wanted, present ?? {}, switches, restored !== null) : wanted;
      if (JSON.stringify(valueAt(next, ['access'])) !== JSON.stringify(present?.['access']) && holding.of === 'sites')
        guard.require('access:write', holding.org, holding, 'Error updating config: ');
      const created = present?.['created'];
      const saved = keep(context, holding, isObject(next) && created !== undefined ? { ...next, created } : next, 'updating');
      return { status: 200, json: shown(saved) };
    }
    case 'DELETE':
      if (present === undefined) throw new Refusal(404);
      store.remove(holding);
      return { status: 204 };
    default:
      if (present === undefined) throw new Refusal(404);
      return { status: 200, json: shown(present) };
  }
}

/** What happens to credentials when a complete document without their values is written. */
function withCredentials(document: Json, present: Json, switches: HostedSwitches, isRestored: boolean): Json {
  const kept = ['secrets', 'tokens', 'apiKeys'].filter(
    (part) => document[part] === undefined && present[part] !== undefined && (isRestored || !switches.wholePostDropsKeys),
  );
  const carried = { ...document, ...Object.fromEntries(kept.map((part) => [part, present[part]])) };
  return changed(carried, (entry, name, part) => {
    if (entry['hash'] !== undefined || entry['value'] !== undefined) return entry;
    const stored = objectAt(present, part, name);
    const isLost = switches.wholePostBreaksKeys || stored['id'] === undefined;
    return isLost ? { ...entry, hash: 'lost' } : { ...entry, ...stored };
  });
}

function answerPart(context: Context, holding: Holding, path: readonly string[]): Answer {
  const { asked } = context;
  const { document } = holding;
  if (asked.method === 'PUT') throw new Refusal(409, 'Error creating config: create not supported on substructures.');
  const present = valueAt(document, path);
  if (asked.method === 'DELETE') {
    if (document === undefined || present === undefined)
      throw new Refusal(404, 'Error removing config: object not found.', 'AEM_BACKEND_CONFIG_DELETE');
    keep(context, holding, withValue(document, path, undefined), 'removing');
    return { status: 204 };
  }
  if (asked.method !== 'POST') {
    if (present === undefined) throw new Refusal(404);
    return { status: 200, json: present };
  }
  if (document === undefined) throw new Refusal(404, 'Error updating config: config not found.');
  const body = bodyOf(asked);
  const isFirstAdmin = path.join('/') === 'access/admin' && present === undefined && isObject(body);
  const saved = keep(context, holding, withValue(document, path, isFirstAdmin ? { requireAuth: 'auto', ...body } : body), 'updating');
  return { status: 200, json: valueAt(shown(saved), path) };
}

function answerVersions({ asked }: Context, holding: Holding, number: string | undefined): Answer {
  const { versions } = holding;
  const list = versions.map(({ data: _data, ...rest }) => rest);
  if (number === undefined) {
    readOnly(asked);
    if (list.length === 0) throw new Refusal(404);
    return { status: 200, json: { current: list.at(-1)?.version, versions: list } };
  }
  const found = versions.find(({ version }) => String(version) === number);
  if (found === undefined) throw new Refusal(404);
  if (asked.method === 'POST') found.name = textAt(bodyOf(asked), 'name');
  if (asked.method !== 'DELETE') return { status: 200, json: found };
  holding.versions = versions.filter((one) => one !== found);
  return { status: 204 };
}

/** `robots.txt`, and the definitions of indexes and sitemaps. */
function answerText(context: Context, holding: Holding, rest: string): Answer {
  const { asked, switches, store } = context;
  const text = asked.body.toString();
  const media = String(asked.headers['content-type']).split(';')[0] ?? '';
  if (rest === 'robots.txt') {
    if (asked.method !== 'POST') {
      const robots = textAt(holding.document, 'robots', 'txt');
      if (robots === '') throw new Refusal(404);
      return { status: 200, text: robots, headers: { 'content-type': 'text/plain; charset=utf-8' } };
    }
    if (media === 'text/plain' && !switches.robotsText) throw new Refusal(400, 'missing body');
    if (holding.document === undefined) throw new Refusal(404, 'Error updating config: config not found.');
    const txt = media === 'text/plain' ? text : textAt(bodyOf(asked), 'txt');
    keep(context, holding, { ...holding.document, robots: { txt } }, 'updating');
    return { status: 200, text: txt, headers: { 'content-type': 'text/plain; charset=utf-8' } };
  }
  if (holding.document === undefined) throw new Refusal(404);
  const present = holding.yaml.get(rest);
  if (asked.method === 'GET' || asked.method === 'HEAD') {
    if (present === undefined) throw new Refusal(404);
    return { status: 200, text: present, headers: { 'content-type': 'text/yaml; charset=utf-8' } };
  }
  const busId = textAt(holding.document, 'content', 'contentBusId');
  const primary = store.all('sites').find(({ document }) => textAt(document, 'content', 'contentBusId') === busId);
  if (primary !== undefined && primary !== holding)
    throw new Refusal(403, `Content operation restricted to the primary site: ${primary.org}/${primary.name}`);
  if (asked.method === 'DELETE') {
    if (!holding.yaml.delete(rest)) throw new Refusal(404);
    return { status: 204 };
  }
  if (asked.method === 'PUT' && present !== undefined) throw new Refusal(409, `${rest} already exists.`);
  if (asked.method === 'POST' && present === undefined) throw new Refusal(404, `${rest} not found.`, 'AEM_BACKEND_CONFIG_MISSING');
  if (!media.endsWith('yaml')) throw new Refusal(400, `invalid content type: ${media}`);
  if (!/^(?:version|indices|sitemaps)\s*:/m.test(text)) throw new Refusal(400, 'invalid format');
  holding.yaml.set(rest, text);
  return { status: asked.method === 'PUT' ? 201 : 204 };
}

function readOnly({ method }: Asked): void {
  if (method !== 'GET') throw new Refusal(405);
}
