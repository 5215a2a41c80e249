import express, { type Request, type Response, Router } from 'express';
import { faultSwitch } from '../faults.ts';
import { type GrownSize, growTree } from '../seed/fleet-roots.ts';
import { seedContent } from '../seed/seed-content.ts';
import { listen, type Running } from '../web.ts';
import {
  openContentStore,
  type PlantedResource,
  BASE_ENVIRONMENT,
  type ContentStore,
  nameOf,
  parentOf,
  type Properties,
  type ReadableTree,
  type Resource,
  type Environment,
  environmentOfHost,
  shownProperties,
} from './content-store.ts';
import {
  bearerReader,
  csrfTokens,
  commandRefusedBy,
  isAllowed,
  obstacleTo,
  type Permission,
  visibleTo,
  type Writer,
  type Bearer,
  type CsrfTokens,
} from './access-control.ts';
import { createPage } from './create-page.ts';
import { deliver } from './delivery/deliver.ts';
import { answerOutcome, contentPath, escapeHtml, resolveAddress, type SlingOutcome } from './sling-answer.ts';
import { showDate } from './sling-form.ts';
import { writeResource } from './write-resource.ts';

export interface AuthoringSystemOptions {
  readonly port: number;
  /** Folder of the content; a new folder is seeded. */
  readonly dataDir: string;
  /** Issuer of the identity provider, whose tokens for the audience `authoring` are accepted. */
  readonly identityProvider: string;
  /** The domain that the Edge Delivery configurations name as edge host. */
  readonly edgeHost?: string;
  /** A tree of any size next to the seed, below `/content/grown`, to try out scale. */
  readonly grown?: GrownSize;
  /** The number of sites in addition to the seed, to try out an organization of hundreds. */
  readonly fleet?: number;
  /** Content instead of the seed. */
  readonly content?: Iterable<PlantedResource>;
}

/** The stand-in of the authoring system: two environments on one port, told apart by host. Its address is that of the base environment. */
export async function startAuthoringSystem(options: AuthoringSystemOptions): Promise<Running> {
  const store = openContentStore(options.dataDir);
  if (store.isEmpty()) {
    store.plant(options.content ?? seedContent(options.edgeHost ?? 'live.localhost:4000', options.fleet));
    if (options.grown !== undefined) store.plant(growTree(options.grown));
  }
  const faults = faultSwitch();
  const app = express();
  app.disable('x-powered-by').disable('etag');
  app.use((request, response, next) => faults.handle(request, response, next));
  app.use(authoringRoutes({ store, readBearer: bearerReader(options.identityProvider), csrf: csrfTokens() }));
  const running = await listen(options.port, app);
  return {
    address: running.address.replace('//localhost', `//author-${BASE_ENVIRONMENT}.authoring.localhost`),
    stop: async () => {
      faults.stop();
      await running.stop();
      store.close();
    },
  };
}

interface Parts {
  readonly store: ContentStore;
  readonly readBearer: (authorization: string | undefined) => Promise<Bearer>;
  readonly csrf: CsrfTokens;
}

interface Call {
  readonly environment: Environment;
  readonly path: string;
  readonly bearer: Bearer;
}

const CSRF_PATH = '/libs/granite/csrf/token.json';

/** Every address of the authoring system. Order of defence: host, path, token, CSRF token, permission. */
function authoringRoutes(parts: Parts): Router {
  const routes = Router();
  routes.use(async (request, response, next) => {
    const environment = environmentOfHost(request.headers.host);
    const path = contentPath(request.path);
    if (environment === undefined) return void say(response, 404, 'No authoring environment has this host name.');
    if (path === undefined) return void say(response, 400, 'The address is malformed.');
    const bearer = await parts.readBearer(request.headers.authorization);
    if (request.method === 'GET' || request.method === 'HEAD') return read(parts, { environment, path, bearer }, response);
    if (request.method !== 'POST') return void say(response.set('allow', 'GET, HEAD, POST'), 405, 'Use GET or POST.');
    response.locals['call'] = { environment, path, bearer };
    next();
  });
  routes.use(express.raw({ type: 'application/x-www-form-urlencoded', limit: '1mb' }), (request, response) => {
    write(parts, callOf(response), request, response);
  });
  return routes;
}

function read(parts: Parts, call: Call, response: Response): void {
  const { environment, path, bearer } = call;
  const whole = parts.store.tree(environment.id);
  const delivered = deliver(visibleTo(whole, environment.technicalAccount), environment, path, bearer);
  if (delivered !== undefined) return void response.status(delivered.status).set('content-type', delivered.media).send(delivered.body);
  const email = allowed(call, 'read', response);
  if (email === undefined) return;
  response.set('cache-control', 'no-store');
  if (path === CSRF_PATH) return void response.json({ token: parts.csrf.issue(email) });
  const tree = visibleTo(whole, email);
  const address = resolveAddress(tree, path);
  if (address?.extension === 'json' && address.selectors.join('.') === 'permissions')
    return void response.json({ hasPermission: mayWrite(whole, address.resource.path, email, environment) });
  const property = address === undefined ? readProperty(tree, path) : undefined;
  if (property !== undefined) return void response.json(property);
  if (address === undefined || address.extension !== 'json') return missing(response, path);
  const depth = depthOf(address.selectors);
  if (depth === undefined) return say(response, 400, `Invalid recursion selector value '${address.selectors.at(-1) ?? ''}'`);
  const reading = readResource(tree, address.resource, depth, (resource) => shownProperties(resource, environment));
  if (reading.kind === 'alternatives') response.status(300).json(reading.addresses);
  else response.json(reading.value);
}

/** Answers `{path}.permissions.json?privileges=rep:write` like real systems: locks do not count. */
function mayWrite(tree: ReadableTree, path: string, email: string, environment: Environment): boolean {
  return isAllowed(email, 'write', environment) && obstacleTo(tree, path, email)?.kind !== 'denied';
}

function write(parts: Parts, call: Call, request: Request, response: Response): void {
  const { environment, path } = call;
  if (call.bearer.kind !== 'known') return void allowed(call, 'write', response);
  const form = readForm(request.body instanceof Uint8Array ? request.body : new Uint8Array());
  if (!parts.csrf.accepts(request.get('csrf-token') ?? form.get(':cq_csrf_token') ?? undefined, call.bearer.email))
    return say(response, 403, `The CSRF token is missing or expired: read ${CSRF_PATH} and send its token as CSRF-Token.`);
  const isCommand = path === '/bin/wcmcommand';
  const email = allowed(call, isCommand ? 'write' : 'read', response);
  if (email === undefined) return;
  if (!request.is('application/x-www-form-urlencoded')) return say(response, 415, 'Send a form (application/x-www-form-urlencoded).');
  const writer: Writer = { email, at: showDate(new Date()), mayWrite: isAllowed(email, 'write', environment) };
  const { accept } = request.headers;
  if (isCommand) return answerOutcome(response, accept, pageCommand(parts.store, environment.id, form, writer));
  if (!/^\/(content|conf)\/./.test(path)) return say(response, 403, 'Only /content and /conf can be written.');
  answerOutcome(response, accept, writeResource(parts.store, environment.id, path, form, writer));
}

/** The e-mail address of an authorized caller; otherwise sends the refusal and returns undefined. */
function allowed({ bearer, environment }: Call, permission: Permission, response: Response): string | undefined {
  switch (bearer.kind) {
    case 'anonymous':
      say(response.set('www-authenticate', 'Bearer'), 401, 'Sign in: send a token of the identity provider as Bearer.');
      return undefined;
    case 'refused':
      say(response.set('www-authenticate', 'Bearer error="invalid_token"'), 401, bearer.reason);
      return undefined;
    case 'unverifiable':
      say(response, 503, bearer.reason);
      return undefined;
    case 'known':
      if (isAllowed(bearer.email, permission, environment)) return bearer.email;
      say(response, 403, `${bearer.email} may not ${permission} here.`);
      return undefined;
    default:
      return bearer satisfies never;
  }
}

function missing(response: Response, path: string): void {
  const sentence = escapeHtml(`Resource at '${path}' not found: No resource found`);
  response.status(404).type('html').send(`<html><head><title>404 ${sentence}</title></head><body><h1>${sentence} (404)</h1></body></html>`);
}

function say(response: Response, status: number, sentence: string): void {
  response.status(status).set('content-type', 'text/plain; charset=utf-8').send(`${sentence}\n`);
}

/** Safe: the previous handler put it there; express keeps `locals` untyped. */
function callOf(response: Response): Call {
  return response.locals['call'] as Call;
}

/** `/bin/wcmcommand`: creates a page, or locks and unlocks one for its author. */
function pageCommand(store: ContentStore, environment: string, form: URLSearchParams, writer: Writer): SlingOutcome {
  const command = form.get('cmd');
  return command === 'lockPage' || command === 'unlockPage'
    ? setLock(store, environment, { path: form.get('path') ?? '', locks: command === 'lockPage' }, writer)
    : createPage(store, environment, form, writer);
}

/** As in real systems, locks the content of the page with all its descendants. */
function setLock(
  store: ContentStore,
  environment: string,
  { path, locks }: { readonly path: string; readonly locks: boolean },
  { email }: Writer,
): SlingOutcome {
  const content = `${path}/jcr:content`;
  return store.change(environment, (tree) => {
    const properties = tree.read(content)?.properties;
    const title = `${locks ? 'Lock' : 'Unlock'} ${path}`;
    if (properties === undefined) return { status: 404, message: `Page not found: ${path}`, path, title };
    const obstacle = obstacleTo(tree, content, email);
    if (obstacle !== undefined) return commandRefusedBy(obstacle, content);
    const { 'jcr:lockOwner': _owner, 'jcr:lockIsDeep': _deep, ...others } = properties;
    tree.put(content, locks ? { ...others, 'jcr:lockOwner': email, 'jcr:lockIsDeep': true } : others);
    return { status: 200, message: 'OK', path, title, changes: [{ type: 'modified', argument: content }] };
  });
}

/**
 * Parses form fields like Sling: in the encoding of the field `_charset_`, and without it in ISO-8859-1, whatever the content type says. An
 * unknown encoding is ignored.
 */
export function readForm(body: Uint8Array): URLSearchParams {
  const pairs = Buffer.from(body)
    .toString('latin1')
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair): [string, string] => {
      const equals = pair.indexOf('=');
      return equals < 0 ? [pair, ''] : [pair.slice(0, equals), pair.slice(equals + 1)];
    });
  const charset = pairs.find(([name]) => name === '_charset_')?.[1] ?? '';
  const decode = decoder(charset);
  return new URLSearchParams(pairs.map(([name, value]): [string, string] => [decode(bytesOf(name)), decode(bytesOf(value))]));
}

function bytesOf(text: string): Buffer {
  const characters = text
    .replaceAll('+', ' ')
    .replaceAll(/%([0-9a-f]{2})/gi, (_all, hexadecimal: string) => String.fromCharCode(Number.parseInt(hexadecimal, 16)));
  return Buffer.from(characters, 'latin1');
}

function decoder(charset: string): (bytes: Buffer) => string {
  return /^utf-?8$/i.test(charset) ? (bytes) => bytes.toString('utf8') : (bytes) => bytes.toString('latin1');
}

/** Sling's JSON renderer refuses more than this many descendants at once. */
const RESOURCE_LIMIT = 200;

type Reading =
  | { readonly kind: 'json'; readonly value: Readonly<Record<string, unknown>> }
  /** Too much at once: the addresses that would work, deepest first. */
  | { readonly kind: 'alternatives'; readonly addresses: readonly string[] };

/**
 * A resource and its descendants, `depth` levels deep (0: only its properties). Beyond the limit, the alternatives, except that a single
 * requested level is always returned, as in Sling, so that a reader can continue even where the alternatives do not offer it. `show` may
 * add properties that a resource shows without storing them.
 */
function readResource(tree: ReadableTree, resource: Resource, depth: number, show: (resource: Resource) => Properties): Reading {
  const root: Record<string, unknown> = { ...show(resource) };
  const objects = new Map([[resource.path, root]]);
  let level: Resource[] = [resource];
  let count = 0;
  for (let reached = 0; reached < depth && level.length > 0; reached += 1) {
    const next: Resource[] = [];
    for (const parent of level) {
      next.push(...tree.children(parent.path));
      if (depth > 1 && count + next.length > RESOURCE_LIMIT) return { kind: 'alternatives', addresses: addresses(resource, reached) };
    }
    for (const child of next) {
      const object = { ...show(child) };
      objects.set(child.path, object);
      const parent = objects.get(parentOf(child.path));
      if (parent !== undefined) parent[nameOf(child.path)] = object;
    }
    count += next.length;
    level = next;
  }
  return { kind: 'json', value: root };
}

/** The depth in the last selector of an address; undefined if that is neither a depth nor `tidy`. */
function depthOf(selectors: readonly string[]): number | undefined {
  const level = selectors.at(-1);
  if (level === undefined || level === 'tidy') return 0;
  if (level === 'infinity' || level === '-1') return Infinity;
  return /^(0|[1-9]\d*)$/.test(level) ? Number(level) : undefined;
}

/** The addresses that always work, from this many levels down to none. */
function addresses(resource: Resource, deepest: number): string[] {
  return Array.from({ length: deepest + 1 }, (_, index) => `${resource.path}.${deepest - index}.json`);
}

/** `{path}/{property}.json`, with or without selectors: only that property, with its value or values as text. */
function readProperty(tree: ReadableTree, path: string): Readonly<Record<string, unknown>> | undefined {
  const [, name = ''] = /^([^.]+)(?:\.[^.]+)*\.json$/.exec(nameOf(path)) ?? [];
  const value = tree.read(parentOf(path))?.properties[name];
  if (value === undefined) return undefined;
  return { [name]: Array.isArray(value) ? value.map(String) : String(value) };
}
