import { assistantEndpoints } from '@repoless/contract/assistant.ts';
import { sessionEndpoints } from '@repoless/contract/session.ts';
import type { Express } from 'express';
import type { IncomingMessage } from 'node:http';
import { Refusal } from '../domain/errors.ts';
import { mountApiPage } from './api-page.ts';
import type { Call } from './call.ts';
import type { AllowsOrigin } from './cors.ts';
import { type AnsweringProgram, fillApp } from './every-answer.ts';
import { mount, type RequestGuards } from './mount.ts';
import { refuseConfigType, refuseRoute, unknownPartCalls } from './unknown-address.ts';

export interface HttpApp extends Pick<AnsweringProgram, 'title' | 'allowsOrigin' | 'log' | 'newId' | 'isStopping'> {
  readonly calls: readonly Call[];
  readonly guards: RequestGuards;
}

/** Fills an empty app with the service on its own address. */
export function fillHttpApp(app: Express, { calls, guards, ...program }: HttpApp): void {
  const { ownOrigin, clientAddress } = guards;
  fillApp(app, { ...program, publicAddress: ownOrigin, clientAddress, pagePolicy: OWN_PAGES }, () => {
    app.use('/config', (request, _, next) => {
      refuseConfigType(request.originalUrl);
      next();
    });
    app.use(assistantEndpoints.serveAssistant.path, (request, _, next) => {
      refuseForeignPage(request, program.allowsOrigin, ownOrigin, 'may not call the tools for assistants');
      next();
    });
    // A page anywhere would use up what the address of whoever opens it may begin, and guess.
    app.use(sessionEndpoints.authorizeDevice.path, (request, _, next) => {
      refuseForeignPage(request, program.allowsOrigin, ownOrigin, 'may not sign in a device');
      next();
    });
    mountApiPage(app, ownOrigin);
    mount(app, [...calls, ...unknownPartCalls()], guards);
    app.use(refuseRoute);
  });
}

/**
 * Refuses with NOT_AUTHORIZED what a page of another origin sends, whatever token it has: a name that leads here since a moment ago
 * (DNS rebinding) makes a page the service's own neighbour. The Model Context Protocol asks for this at its address.
 */
function refuseForeignPage(request: IncomingMessage, allows: AllowsOrigin, ownOrigin: string, what: string): void {
  const { origin } = request.headers;
  if (origin === undefined || origin === ownOrigin || allows(origin, request)) return;
  throw new Refusal('NOT_AUTHORIZED', `Pages of this origin ${what}. Ask the operator of the service to allow it.`);
}

const own = ["'self'"];
const OWN_PAGES = { 'script-src': own, 'style-src': own, 'connect-src': own, 'img-src': own, 'form-action': own };
