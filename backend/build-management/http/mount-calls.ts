import type { Express, Request, Response } from 'express';
import type { Permission } from '#contract/permissions.ts';
import type { Caller } from '#backend/domain/caller.ts';
import { answer } from '#backend/http/answer.ts';
import type { Call } from '#backend/http/call.ts';
import { methodNotAllowed } from '#backend/http/method-not-allowed.ts';
import type { RateLimit } from '#backend/http/rate-limit.ts';
import { readBody } from '#backend/http/request-body.ts';
import { requestHeaders } from '#backend/http/request-headers.ts';
import { requestIdOfResponse } from '#backend/http/request-log.ts';
import { expressPath, joinParams } from '#backend/http/route.ts';
import { presentedToken } from '#backend/http/session/authenticate.ts';
import type { BuildContext } from '../context.ts';

export interface BuildDoor {
  identify(token: string): Promise<Caller>;
  authorize(permission: Permission, asked: { caller: Caller; token: string | undefined; org: string }): Promise<void>;
  readonly rateLimit: RateLimit;
  readonly bodyLimit: number;
  context(caller: Caller, requestId: string): BuildContext;
}

/** Mounts every call on its path. `HEAD` is answered wherever `GET` is. */
export function mountCalls(app: Express, calls: readonly Call<BuildContext>[], door: BuildDoor): void {
  for (const path of new Set(calls.map((call) => call.row.path))) {
    const byMethod = new Map<string, Call<BuildContext>>(
      calls.filter((call) => call.row.path === path).map((call) => [call.row.method, call]),
    );
    const get = byMethod.get('GET');
    if (get !== undefined) byMethod.set('HEAD', get);
    const allow = [...byMethod.keys(), 'OPTIONS'].join(', ');
    app.all(expressPath(path), async (request, response) => {
      const call = byMethod.get(request.method);
      if (call === undefined) throw methodNotAllowed(response, allow);
      await serve(call, request, response, door);
    });
  }
}

/** The order of defence: names in the path, content type, size, token, rate, permission, body, rules. Public rows have no token. */
async function serve(
  { row, params: parse, run }: Call<BuildContext>,
  request: Request,
  response: Response,
  door: BuildDoor,
): Promise<void> {
  const params = parse(joinParams(request.params));
  const body = row.body === undefined ? undefined : await readBody(request, row.body, door.bodyLimit);
  const headers = requestHeaders(request);
  const isPublic = row.permission === 'public';
  const presented = isPublic ? undefined : presentedToken(headers);
  // A cookie of the service is none of this program's.
  const token = presented?.credential === 'header' ? presented.token : undefined;
  const caller: Caller = token === undefined ? { kind: 'anonymous' } : await door.identify(token);
  const org = typeof params['org'] === 'string' ? params['org'] : '';
  if (!isPublic) {
    door.rateLimit(caller, request.socket.remoteAddress ?? '', org, response);
    await door.authorize(row.permission, { caller, token, org });
  }
  const context = door.context(caller, requestIdOfResponse(response));
  answer(request, response, await run(context, { params, url: request.url, headers, body }));
}
