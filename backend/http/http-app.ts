import type { Express } from 'express';
import { assistantEndpoints } from '#contract/assistant-endpoints.ts';
import { mountApiPage } from './api-page.ts';
import type { Call } from './call.ts';
import { fillApp } from './every-answer.ts';
import type { AnsweringProgram } from './every-answer.ts';
import { mount } from './mount.ts';
import type { RequestGuards } from './mount.ts';
import { refuseForeignPage } from './refuse-foreign-page.ts';
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
      refuseForeignPage(request, program.allowsOrigin, ownOrigin);
      next();
    });
    mountApiPage(app, ownOrigin);
    mount(app, [...calls, ...unknownPartCalls()], guards);
    app.use(refuseRoute);
  });
}

const own = ["'self'"];
const OWN_PAGES = { 'script-src': own, 'style-src': own, 'connect-src': own, 'img-src': own, 'form-action': own };
