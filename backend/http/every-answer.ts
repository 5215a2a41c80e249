import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Express } from 'express';
import helmet from 'helmet';
import { Refusal } from '../domain/errors.ts';
import { answerError } from './answer-error.ts';
import { NO_STORE } from './answer.ts';
import type { ClientAddress } from './client-address.ts';
import { answerCors } from './cors.ts';
import type { AllowsOrigin } from './cors.ts';
import { PROBES } from './load-shedding.ts';
import type { RequestLog } from './ports.ts';
import { startRequest, requestIdOfResponse } from './request-log.ts';

export interface AnsweringProgram {
  /** As it begins a sentence, e.g. `The service`. */
  readonly title: string;
  /** Scheme, host and port where it is reached. */
  readonly publicAddress: string;
  /** What its pages may load and do; a program without pages has none of these. */
  readonly pagePolicy?: Readonly<Record<string, string[]>>;
  readonly allowsOrigin: AllowsOrigin;
  readonly log: RequestLog;
  readonly clientAddress: ClientAddress;
  newId(): string;
  /** The program is stopping: running work finishes, new work is refused. */
  isStopping(): boolean;
}

/** Fills an empty app with what every answer of a program has in common; `mountCalls` puts its calls into it. */
export function fillApp(app: Express, program: AnsweringProgram, mountCalls: (app: Express) => void): void {
  const { title, log, newId, clientAddress, isStopping } = program;
  for (const feature of ['x-powered-by', 'etag', 'query parser']) app.disable(feature);
  for (const feature of ['case sensitive routing', 'strict routing']) app.enable(feature);
  const security = securityHeaders(program);
  app.use((request, response, next) => {
    for (const [name, value] of security) response.setHeader(name, value);
    startRequest(request, response, { newId, log, clientAddress });
    response.setHeader('cache-control', NO_STORE);
    if (answerCors(request, response, program.allowsOrigin)) return;
    if (isStopping() && !PROBES.has(request.path))
      throw new Refusal('SHUTTING_DOWN', `${title} is stopping. Try again in a moment.`, { retryAfter: 1 });
    next();
  });
  mountCalls(app);
  app.use((error: unknown, request: IncomingMessage, response: ServerResponse, _next: unknown) =>
    answerError(request, response, error, { requestId: requestIdOfResponse(response), log }),
  );
}

/**
 * What helmet sets, which is the same on every answer. Pages of the sign-in set a policy of their own; a window that they are opened
 * in must keep its opener.
 */
function securityHeaders({ publicAddress, pagePolicy = {} }: AnsweringProgram): [name: string, value: string][] {
  const set = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { 'default-src': ["'none'"], ...pagePolicy, 'base-uri': ["'none'"], 'frame-ancestors': ["'none'"] },
    },
    crossOriginOpenerPolicy: false,
    strictTransportSecurity: publicAddress.startsWith('https:'),
  });
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  set(request, response, (error) => {
    if (error !== undefined) throw new Error('The headers of every answer cannot be made.', { cause: error });
  });
  return Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]);
}
