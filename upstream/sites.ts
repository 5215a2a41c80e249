import { SITE_PARTS } from '@repoless/contract/site.ts';
import { valueAt } from '@repoless/contract/json.ts';
import { SITES_READ_FOR_LIST } from '@repoless/contract/service.ts';
import { difference } from '@repoless/contract/difference.ts';
import { checkPreconditions, Refusal } from '@repoless/contract/refusal.ts';
import { aboutOf, callHosted, type Call, type Operation, read, send, dryRunAnswer } from './call.ts';
import { change } from './change.ts';
import {
  etagOf,
  parseStored,
  items,
  type Listed,
  listedSites,
  load,
  withValueAt,
  PROFILE,
  type Raw,
  requireDocument,
  SITE,
} from './document.ts';
import { partMissing, partOperations } from './parts.ts';
import { missingDocument, refusalOf } from './refusals.ts';

const group = partOperations(SITE, ({ group: name = '' }) => ['groups', name]);
const profileGroup = partOperations(PROFILE, ({ group: name = '' }) => ['groups', name]);
const robots = textOfRobots(SITE);
const profileRobots = textOfRobots(PROFILE);
const query = yaml('query');
const sitemap = yaml('sitemap');

export const SITE_OPERATIONS: Readonly<Record<string, Operation>> = {
  listSites: async (call) => {
    const { after, limit, details } = call.query;
    const { org = '' } = call.params;
    const all = await listedSites(call);
    const first = typeof after === 'string' ? all.findIndex(({ name }) => name > after) : 0;
    const listed = first < 0 ? [] : all.slice(first, typeof limit === 'number' ? first + limit : undefined);
    // A short page is a sample of the organization.
    if (details === true && (limit === undefined || Number(limit) > SITES_READ_FOR_LIST)) await readPaths(call, listed);
    const pathsOf = (site: string) => call.options.paths?.get(`${org}/${site}`);
    const sites = listed.map(({ name, ...more }) => ({
      ...(details === true ? { ...more, ...shownPaths(pathsOf(name)) } : {}),
      name,
      path: `/config/${org}/sites/${name}.json`,
    }));
    return { status: 200, body: { sites } };
  },
  listProfiles: async (call) => {
    const profiles = items(await read(call, 'profiles', call.params), 'profiles').map(({ name }) => ({
      name: String(name),
      path: `/config/${call.params['org'] ?? ''}/profiles/${String(name)}.json`,
    }));
    return { status: 200, body: { profiles } };
  },
  getAggregate: async (call) => {
    const body = await aggregate(call);
    return { status: 200, body, etag: etagOf(body) };
  },
  getAggregateRobots: async (call) => {
    const body = valueAt(await aggregate(call), ['robots', 'txt']);
    if (body === undefined) throw partMissing('robots.txt');
    return { status: 200, body, etag: etagOf(body) };
  },
  getAggregatePart: async (call) => {
    const part = (call.params['part'] ?? '').replace(/\.json$/, '');
    const effective = await aggregate(call);
    if (!(part in SITE_PARTS)) throw new Refusal('PROPERTY_UNKNOWN', `A site has no part "${part}".`, { data: { part } });
    const body = valueAt(effective, part.split('/'));
    if (body === undefined) throw partMissing(part);
    return { status: 200, body, etag: etagOf(body) };
  },
  getSiteGroup: group.get,
  setSiteGroup: group.set,
  deleteSiteGroup: group.remove,
  getProfileGroup: profileGroup.get,
  setProfileGroup: profileGroup.set,
  deleteProfileGroup: profileGroup.remove,
  getRobots: robots.get,
  setRobots: robots.set,
  deleteRobots: robots.remove,
  getProfileRobots: profileRobots.get,
  setProfileRobots: profileRobots.set,
  deleteProfileRobots: profileRobots.remove,
  getSiteQueryYaml: query.get,
  putSiteQueryYaml: query.set,
  postSiteQueryYaml: query.set,
  deleteSiteQueryYaml: query.remove,
  getSiteSitemapYaml: sitemap.get,
  putSiteSitemapYaml: sitemap.set,
  postSiteSitemapYaml: sitemap.set,
  deleteSiteSitemapYaml: sitemap.remove,
};

/** Milliseconds after which lists start to read at other sites. */
const ROTATION = 30_000;

/**
 * Only a site's own document has its content paths, so each list reads some of the unknown ones. The selection changes over time, so that
 * sites that cannot be read do not block the others.
 */
async function readPaths(call: Call, listed: readonly Listed[]): Promise<void> {
  const { paths } = call.options;
  const { org = '' } = call.params;
  const unknown = paths === undefined ? [] : listed.filter(({ name }) => paths.get(`${org}/${name}`) === undefined);
  const first =
    unknown.length > SITES_READ_FOR_LIST ? (Math.floor(call.options.now().getTime() / ROTATION) * SITES_READ_FOR_LIST) % unknown.length : 0;
  const selected = [...unknown.slice(first), ...unknown.slice(0, first)].slice(0, SITES_READ_FOR_LIST);
  // A site that the caller may not read, or that does not respond, is listed without its paths.
  const read = (site: string) =>
    call.cached(`paths ${org}/${site}`, () => load({ ...call, params: { org, site } }, SITE).catch(() => undefined));
  await Promise.all(selected.map(({ name }) => read(name)));
}

function shownPaths(paths: object | undefined) {
  if (paths === undefined) return { isUnread: true };
  return Object.keys(paths).length === 0 ? {} : { public: { paths } };
}

async function aggregate(call: Call): Promise<Raw> {
  const raw = await read(call, 'aggregate', call.params);
  if (raw === undefined) throw missingDocument(aboutOf(call, call.params));
  const { shown } = parseStored(call, SITE, raw as Raw);
  if (shown['extends'] !== undefined) return shown;
  const org = call.params['org'] ?? '';
  const hasDefault = await call.cached(`default profile ${org}`, async () => {
    const profile = await read(call, 'profile', { org, profile: DEFAULT_PROFILE }).catch((error: unknown) => {
      if (error instanceof Refusal && error.code !== 'HOSTED_UNREACHABLE') return undefined;
      throw error;
    });
    return profile !== undefined;
  });
  return hasDefault ? { ...shown, extends: { profile: DEFAULT_PROFILE } } : shown;
}

/** Applies to sites without `extends`. */
const DEFAULT_PROFILE = 'default';

/** `robots.txt` is the member `txt` of the part `robots`. */
function textOfRobots(kind: typeof SITE) {
  const view = ['robots', 'txt'];
  const part = partOperations(
    kind,
    () => view,
    () => partMissing('robots.txt'),
  );
  return {
    get: part.get,
    set: async (call) => {
      const txt: unknown = typeof call.body === 'string' ? call.body : valueAt(call.body, ['txt']);
      if (txt === undefined || txt === '') throw textMissing('robots.txt');
      return await change(call, kind, { view, next: (current) => ({ ...current, robots: { txt } }) });
    },
    remove: (call) =>
      change(call, kind, {
        view,
        next: (current) => {
          if (valueAt(current, view) === undefined) throw partMissing('robots.txt');
          return withValueAt(current ?? {}, ['robots'], undefined);
        },
      }),
  } satisfies typeof part;
}

function textMissing(name: string): Refusal {
  return new Refusal('BODY_MISSING', 'missing body', { detail: `Send the text of ${name}; DELETE removes it.` });
}

/** A file of a site that the hosted service stores next to its document. */
function yaml(name: 'query' | 'sitemap'): Record<'get' | 'set' | 'remove', Operation> {
  const readText = async (call: Call): Promise<string | undefined> => {
    const answer = await callHosted(call, 'siteText', { ...call.params, part: `content/${name}.yaml` });
    // The hosted service also answers 404 if the site itself is missing.
    if (answer.status === 404) return void (await requireDocument(call, SITE));
    if (answer.status !== 200) throw refusalOf(answer, aboutOf(call, call.params));
    return answer.text;
  };
  const missing = partMissing(`${name}.yaml`);
  const writeText = async (call: Call, method: 'PUT' | 'POST' | 'DELETE', body?: string): Promise<void> => {
    await send(
      call,
      'siteText',
      { ...call.params, part: `content/${name}.yaml` },
      {
        method,
        ...(body === undefined ? {} : { text: { type: 'text/yaml', body } }),
      },
    );
  };
  return {
    get: async (call) => {
      const body = await readText(call);
      if (body === undefined) throw missing;
      return { status: 200, body, etag: etagOf(body), headers: { 'content-type': 'text/yaml; charset=utf-8' } };
    },
    set: async (call) => {
      const body = typeof call.body === 'string' ? call.body : '';
      if (body === '') throw textMissing(`${name}.yaml`);
      const before = await readText(call);
      checkPreconditions(call, before === undefined ? undefined : etagOf(before));
      const status = before === undefined ? 201 : 200;
      if (call.isDryRun) return dryRunAnswer({ status, result: body, diff: difference(before ?? null, body) });
      if (before !== body) await writeText(call, before === undefined ? 'PUT' : 'POST', body);
      return { status, body, headers: { 'content-type': 'text/yaml; charset=utf-8' } };
    },
    remove: async (call) => {
      const before = await readText(call);
      checkPreconditions(call, before === undefined ? undefined : etagOf(before));
      if (before === undefined) throw missing;
      if (call.isDryRun) return dryRunAnswer({ status: 204, result: null, diff: difference(before, null) });
      await writeText(call, 'DELETE');
      return { status: 204 };
    },
  };
}
