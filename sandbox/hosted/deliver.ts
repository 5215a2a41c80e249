import { createPathCover } from '@repoless/contract/path-globs.ts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { hashOf } from './collections.ts';
import { effective, type StoredItem, isObject, type Json, objectAt, type Store, textAt, textsAt } from './store.ts';
import type { HostedSwitches } from './switches.ts';

/** Another file of a site, from its code or content. */
export type FileOf = (document: Json, path: string) => Promise<{ readonly body: string; readonly type: string } | undefined>;

export interface DeliveryParts {
  readonly fileOf: FileOf | undefined;
  readonly store: Store;
  switches(): HostedSwitches;
  /** `org/site` of a token that a sign-in issued for a site's hosts. */
  siteOfToken(token: string): string | undefined;
}

const HOST = /^[a-z0-9-]+?--(?<site>[a-z0-9-]+?)--(?<org>[a-z0-9-]+?)\.(?<tier>preview|live)\.localhost(?::\d+)?$/;

/** Whether a host name belongs to a site. */
export function isDeliveryHost(host: string | undefined): boolean {
  return HOST.test(host ?? '');
}

/** The preview and live hosts: files, and `/config.json` some time after it was written. Pages of other origins may not read them. */
export async function deliver(
  { store, switches, siteOfToken, fileOf }: DeliveryParts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { site = '', org = '', tier = '' } = HOST.exec(request.headers.host ?? '')?.groups ?? {};
  const { pathname: path } = new URL(request.url ?? '/', 'http://localhost');
  const item = store.find('sites', org, site);
  const say = (status: number, body = '', headers: Readonly<Record<string, string>> = {}) =>
    void response.writeHead(status, headers).end(request.method === 'HEAD' ? undefined : body);
  if (item?.document === undefined) return say(404, '', { 'x-error': `failed to load ${path}: 404` });
  const document = effective(store, item);
  const token = /^token\s+(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  if (!mayRead({ document, tier, token, siteOfToken }, item, store)) return say(401, '', { 'x-error': 'not authenticated' });
  const { contentFiles, codeFiles } = switches();
  const repository = `${textAt(document, 'code', 'owner')}/${textAt(document, 'code', 'repo')}`;
  const body =
    contentFiles[`${org}/${site}`]?.[path] ??
    codeFiles[repository]?.[path] ??
    (path === '/config.json' ? publishedConfig(item, switches().configDelayMs) : undefined);
  const found = body === undefined ? await fileOf?.(document, path) : { body, type: 'application/json; charset=utf-8' };
  if (found === undefined) return say(404, '', { 'x-error': `failed to load ${path}: 404` });
  say(200, found.body, { 'content-type': found.type, 'cache-control': 'max-age=7200, must-revalidate', ...headersFor(document, path) });
}

/** The headers that the site sets for a path; for the same name, the last pattern wins. */
function headersFor(document: Json, path: string): Record<string, string> {
  const covers = (pattern: string) => createPathCover([pattern])(path);
  const set = Object.entries(objectAt(document, 'headers')).flatMap(([pattern, entries]) =>
    covers(pattern) && Array.isArray(entries) ? entries.filter(isObject) : [],
  );
  return Object.fromEntries(set.map((one) => [textAt(one, 'key').toLowerCase(), textAt(one, 'value')]));
}

function publishedConfig({ published }: StoredItem, delayNow: number): string | undefined {
  const value = published.findLast(({ from, delay }) => from + Math.min(delay, delayNow) <= Date.now())?.value;
  return value === undefined ? undefined : JSON.stringify({ public: value });
}

interface Reading {
  readonly document: Json;
  readonly tier: string;
  readonly token: string | undefined;
  siteOfToken(token: string): string | undefined;
}

function mayRead({ document, tier, token, siteOfToken }: Reading, { org, name }: StoredItem, store: Store): boolean {
  const readers = { ...objectAt(document, 'access', 'site'), ...objectAt(document, 'access', tier) };
  if (['allow', 'secretId', 'apiKeyId'].every((list) => textsAt(readers, list).length === 0)) return true;
  if (token === undefined) return false;
  if (siteOfToken(token) === `${org}/${name}`) return true;
  const secrets = [objectAt(document, 'secrets'), objectAt(store.find('org', org, '')?.document, 'secrets')].flatMap((one) =>
    Object.values(one),
  );
  return secrets
    .filter(isObject)
    .some(({ id, hash, value }) => textsAt(readers, 'secretId').includes(String(id)) && (hash === hashOf(token) || value === token));
}
