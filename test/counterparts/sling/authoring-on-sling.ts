import {
  nameOf,
  parentOf,
  type ReadableTree,
  type Resource,
  type Value,
  environmentOfHost,
} from '@repoless/sandbox/authoring-system/content-store.ts';
import { PAGE_TYPE, SPREADSHEET_TYPE } from '@repoless/sandbox/authoring-system/create-page.ts';
import { bearerReader, csrfTokens } from '@repoless/sandbox/authoring-system/access-control.ts';
import { deliver } from '@repoless/sandbox/authoring-system/delivery/deliver.ts';
import { readForm } from '@repoless/sandbox/authoring-system/start-authoring-system.ts';
import { listen, type Running } from '@repoless/sandbox/web.ts';
import express, { type Request, type Response, Router } from 'express';
import { z } from 'zod';
import { accountOf } from './sling-accounts.ts';
import { ADMIN, slingCaller } from './sling-caller.ts';

const CSRF = '/libs/granite/csrf/token.json';

/**
 * Adds to a Sling what the vendor's authoring system has beyond it: tokens of an identity provider instead of passwords, a CSRF token,
 * the command that creates a page, and the delivery address. Everything else passes to Sling and back unchanged, with the caller's
 * account. Sling lacks the address of permissions, and this does not replace it.
 */
export function startAuthoringOnSling(port: number, sling: string, identityProvider: string): Promise<Running> {
  const readBearer = bearerReader(identityProvider);
  const csrf = csrfTokens();
  const admin = slingCaller(sling, ADMIN);
  const answer = async (request: Request, response: Response): Promise<void> => {
    const environment = environmentOfHost(request.headers.host);
    const bearer = await readBearer(request.headers.authorization);
    if (environment === undefined) return void response.sendStatus(404);
    const delivery = /^\/bin\/\w+\.delivery\/[^/]+\/[^/]+\/[^/]+(\/.+?)(?:\.html|\.json)$/.exec(request.path);
    if (delivery !== null) {
      const delivered = deliver(await treeForDelivery(admin, delivery[1] ?? ''), environment, request.path, bearer);
      return void response
        .status(delivered?.status ?? 404)
        .set('content-type', delivered?.media ?? 'text/plain')
        .send(delivered?.body);
    }
    if (bearer.kind !== 'known') return void response.sendStatus(401);
    const caller = slingCaller(sling, accountOf(bearer.email));
    if (request.method !== 'POST') {
      if (request.path === CSRF) return void response.json({ token: csrf.issue(bearer.email) });
      return pass(response, await caller.get(request.originalUrl));
    }
    const body = request.body instanceof Uint8Array ? request.body : new Uint8Array();
    const form = readForm(body);
    if (!csrf.accepts(request.get('csrf-token') ?? undefined, bearer.email)) return void response.sendStatus(403);
    if (request.path !== '/bin/wcmcommand') return pass(response, await caller.postBody(request.originalUrl, Buffer.from(body).toString()));
    const path = `${form.get('parentPath')}/${form.get('label')}`;
    const template = form.get('template') ?? '';
    return pass(
      response,
      await caller.post(path, {
        './jcr:primaryType': 'cq:Page',
        './jcr:content/jcr:title': form.get('title') ?? '',
        './jcr:content/cq:template': template,
        './jcr:content/sling:resourceType': template.endsWith('/page') ? PAGE_TYPE : SPREADSHEET_TYPE,
      }),
    );
  };
  const routes = Router().use(express.raw({ type: 'application/x-www-form-urlencoded' }), answer);
  return listen(port, express().disable('x-powered-by').use(routes));
}

function pass(response: Response, { status, headers, text }: Awaited<ReturnType<ReturnType<typeof slingCaller>['get']>>): void {
  for (const name of ['content-type', 'location']) {
    const value = headers.get(name);
    if (value !== null) response.set(name, value);
  }
  response.status(status).send(text);
}

type Caller = Pick<ReturnType<typeof slingCaller>, 'get'>;

/** What the delivery of a page reads from Sling: the configurations, the page, and the properties of the pages above it. */
async function treeForDelivery(sling: Caller, page: string): Promise<ReadableTree> {
  const resources = new Map<string, Resource>();
  await gather(sling, '/conf', resources);
  await gather(sling, `${page}/jcr:content`, resources);
  for (let at = page; at !== '/'; at = parentOf(at)) {
    for (const path of [at, `${at}/jcr:content`]) await gather(sling, path, resources, '');
  }
  const all = [...resources.values()];
  return {
    read: (path) => resources.get(path),
    children: (path) => all.filter((one) => parentOf(one.path) === path && one.path !== '/'),
    named: (below, name) => all.filter(({ path }) => path.startsWith(`${below}/`) && nameOf(path) === name),
  };
}

/** Reads a resource with its descendants, in one answer if Sling gives one, otherwise level by level. */
async function gather(sling: Caller, path: string, into: Map<string, Resource>, depth = '.infinity'): Promise<void> {
  const address = path.split('/').map(encodeURIComponent).join('/');
  const { status, text } = await sling.get(`${address}${depth}.json`);
  if (status === 200) add(path, Json.parse(JSON.parse(text)), into);
  if (status !== 300) return;
  await gather(sling, path, into, '');
  const level = Json.parse(JSON.parse((await sling.get(`${address}.1.json`)).text));
  for (const [name, value] of Object.entries(level)) if (isNode(value)) await gather(sling, `${path}/${name}`, into);
}

function add(path: string, node: Node, into: Map<string, Resource>): void {
  const properties = Object.entries(node).flatMap(([name, value]) => (isNode(value) ? [] : [[name, value] as const]));
  into.set(path, { path, properties: Object.fromEntries(properties) });
  for (const [name, value] of Object.entries(node)) if (isNode(value)) add(`${path}/${name}`, value, into);
}

interface Node {
  readonly [name: string]: Value | Node;
}

function isNode(value: Value | Node): value is Node {
  return typeof value === 'object' && !Array.isArray(value);
}

const One = z.union([z.string(), z.number(), z.boolean()]);
const Json: z.ZodType<Node> = z.lazy(() => z.record(z.string(), z.union([One, z.array(One), Json])));
