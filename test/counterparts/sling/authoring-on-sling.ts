import express, { Router } from 'express';
import type { Request, Response } from 'express';
import { bearerReader } from '@repoless/sandbox/authoring-system/bearer.ts';
import { PAGE_TYPE, SPREADSHEET_TYPE } from '@repoless/sandbox/authoring-system/create-page.ts';
import { csrfTokens } from '@repoless/sandbox/authoring-system/csrf.ts';
import { deliver } from '@repoless/sandbox/authoring-system/delivery/deliver.ts';
import { environmentOfHost } from '@repoless/sandbox/authoring-system/environments.ts';
import { readForm } from '@repoless/sandbox/authoring-system/read-form.ts';
import type { Running } from '@repoless/sandbox/running.ts';
import { listen } from '@repoless/sandbox/web/listen.ts';
import { accountOf } from './sling-accounts.ts';
import { ADMIN, slingCaller } from './sling-caller.ts';
import { treeForDelivery } from './sling-tree.ts';

const CSRF = '/libs/granite/csrf/token.json';

/**
 * What the vendor's authoring system has beside Sling, in front of a Sling: tokens of an identity provider instead of passwords, a CSRF
 * token, the command that makes a page, and the delivery address. Everything else goes to Sling and back as it is, with the account of
 * the caller. Of the permissions' address Sling knows nothing, and nothing is put in its place.
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
      await caller.post(path, [
        ['./jcr:primaryType', 'cq:Page'],
        ['./jcr:content/jcr:title', form.get('title') ?? ''],
        ['./jcr:content/cq:template', template],
        ['./jcr:content/sling:resourceType', template.endsWith('/page') ? PAGE_TYPE : SPREADSHEET_TYPE],
      ]),
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
