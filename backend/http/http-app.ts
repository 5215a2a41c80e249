import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Express } from 'express';
import helmet from 'helmet';
import { Refusal } from '#backend/domain/errors.ts';
import { answerError } from './answer-error.ts';
import { NO_STORE } from './answer.ts';
import { mountApiPage } from './api-page.ts';
import type { Call } from './call.ts';
import { answerCors } from './cors.ts';
import { mount } from './mount.ts';
import type { Door } from './mount.ts';
import type { RequestLog } from './ports.ts';
import { beginRequest, requestIdOfResponse } from './request-log.ts';
import { refuseConfigType, refuseRoute, unknownPartCalls } from './unknown-address.ts';

export interface HttpApp {
  readonly calls: readonly Call[];
  readonly door: Door;
  readonly allowedOrigins: readonly string[];
  readonly log: RequestLog;
  newId(): string;
  /** The service ends: work under way is finished, new work refused. */
  isStopping(): boolean;
}

/** Fills an empty app with the service on its own address: what every answer has in common, then the calls of the table. */
export function fillHttpApp(app: Express, { calls, door, allowedOrigins, log, newId, isStopping }: HttpApp): void {
  for (const feature of ['x-powered-by', 'etag', 'query parser']) app.disable(feature);
  for (const feature of ['case sensitive routing', 'strict routing']) app.enable(feature);
  const origins = new Set(allowedOrigins);

  app.use((request, response, next) => {
    beginRequest(request, response, { newId, log });
    response.setHeader('cache-control', NO_STORE);
    if (answerCors(request, response, origins)) return;
    if (isStopping() && request.path !== '/health')
      throw new Refusal('SHUTTING_DOWN', 'The service is stopping. Try again in a moment.', { retryAfter: 1 });
    next();
  });
  app.use(securityHeaders(door.ownOrigin));
  app.use('/config', (request, _, next) => {
    refuseConfigType(request.originalUrl);
    next();
  });
  mountApiPage(app, door.ownOrigin);
  mount(app, [...calls, ...unknownPartCalls()], door);
  app.use(refuseRoute);
  app.use((error: unknown, request: IncomingMessage, response: ServerResponse, _next: unknown) =>
    answerError(request, response, error, { requestId: requestIdOfResponse(response), log }),
  );
}

/** Pages of the sign-in set a policy of their own; a window that they are opened in must keep its opener. */
function securityHeaders(ownOrigin: string) {
  const own = ["'self'"];
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'none'"],
        'script-src': own,
        'style-src': own,
        'connect-src': own,
        'img-src': own,
        'form-action': own,
        'base-uri': ["'none'"],
        'frame-ancestors': ["'none'"],
      },
    },
    crossOriginOpenerPolicy: false,
    strictTransportSecurity: ownOrigin.startsWith('https:'),
  });
}
