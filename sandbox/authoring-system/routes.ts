import express, { Router } from 'express';
import type { Request, Response } from 'express';
import type { Bearer } from './bearer.ts';
import { obstacleTo, visibleTo } from './access-control.ts';
import type { ContentStore, ReadableTree } from './content-store.ts';
import type { CsrfTokens } from './csrf.ts';
import { deliver } from './delivery/deliver.ts';
import { shownProperties } from './edge-configuration.ts';
import { environmentOfHost } from './environments.ts';
import type { Environment } from './environments.ts';
import { pageCommand } from './page-command.ts';
import { isAllowed } from './permissions.ts';
import type { Permission } from './permissions.ts';
import { readForm } from './read-form.ts';
import { depthOf, readProperty, readResource } from './read-resource.ts';
import { contentPath, resolveAddress } from './resource-address.ts';
import { showDate } from './shown-date.ts';
import { answerOutcome, escapeHtml } from './sling-answer.ts';
import { writeResource } from './write-resource.ts';
import type { Writer } from './writer.ts';

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
export function authoringRoutes(parts: Parts): Router {
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

/** What the field answers to `{path}.permissions.json?privileges=rep:write`: locks are no matter of permission. */
function mayWrite(tree: ReadableTree, path: string, email: string, environment: Environment): boolean {
  return isAllowed(email, 'write', environment) && obstacleTo(tree, path, email)?.kind !== 'denied';
}

function write(parts: Parts, call: Call, request: Request, response: Response): void {
  const { environment, path } = call;
  if (call.bearer.kind !== 'known') return void allowed(call, 'write', response);
  const form = readForm(request.body instanceof Uint8Array ? request.body : new Uint8Array());
  if (!parts.csrf.accepts(request.get('csrf-token') ?? form.get(':cq_csrf_token') ?? undefined, call.bearer.email))
    return say(response, 403, `The CSRF token is missing or over: read ${CSRF_PATH} and send its token as CSRF-Token.`);
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

/** The e-mail address of a caller who may; otherwise the refusal is sent and the answer is undefined. */
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

/** Safe: the handler before put it there; express keeps `locals` untyped. */
function callOf(response: Response): Call {
  return response.locals['call'] as Call;
}
