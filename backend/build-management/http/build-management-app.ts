import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Express } from 'express';
import helmet from 'helmet';
import { Refusal } from '#backend/domain/errors.ts';
import { answerError } from '#backend/http/answer-error.ts';
import { NO_STORE } from '#backend/http/answer.ts';
import type { Call } from '#backend/http/call.ts';
import { answerCors } from '#backend/http/cors.ts';
import type { RequestLog } from '#backend/http/ports.ts';
import { beginRequest, requestIdOfResponse } from '#backend/http/request-log.ts';
import type { BuildContext } from '../context.ts';
import { mountCalls } from './mount-calls.ts';
import type { BuildDoor } from './mount-calls.ts';

export interface BuildManagementApp {
  readonly calls: readonly Call<BuildContext>[];
  readonly door: BuildDoor;
  readonly allowedOrigins: readonly string[];
  readonly log: RequestLog;
  newId(): string;
  isStopping(): boolean;
}

/** Fills an empty app: what every answer has in common, then the calls of the table. */
export function fillBuildManagementApp(app: Express, { calls, door, allowedOrigins, log, newId, isStopping }: BuildManagementApp): void {
  for (const feature of ['x-powered-by', 'etag', 'query parser']) app.disable(feature);
  for (const feature of ['case sensitive routing', 'strict routing']) app.enable(feature);
  const origins = new Set(allowedOrigins);
  app.use((request, response, next) => {
    beginRequest(request, response, { newId, log });
    response.setHeader('cache-control', NO_STORE);
    if (answerCors(request, response, origins)) return;
    if (isStopping() && request.path !== '/health')
      throw new Refusal('SHUTTING_DOWN', 'Build management is stopping. Try again in a moment.', { retryAfter: 1 });
    next();
  });
  app.use(
    helmet({ contentSecurityPolicy: { useDefaults: false, directives: { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] } } }),
  );
  mountCalls(app, calls, door);
  app.use(() => {
    throw new Refusal('ROUTE_NOT_FOUND', 'There is nothing at this address of build management.');
  });
  app.use((error: unknown, request: IncomingMessage, response: ServerResponse, _next: unknown) =>
    answerError(request, response, error, { requestId: requestIdOfResponse(response), log }),
  );
}
