import { GRANTS, type Permission } from '@repoless/contract/access.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import type { Express, Request, Response } from 'express';
import type { ServerResponse } from 'node:http';
import { rolesOf } from '../../access/roles.ts';
import { createMemoryBudget } from '../../domain/answer-budget.ts';
import type { Caller } from '../../domain/context.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import { createFairShare, type FairShare, yieldToEventLoop } from '../../domain/fair-share.ts';
import { answer } from '../../http/answer.ts';
import { presentedToken, type RateLimit } from '../../http/caller.ts';
import { type AnsweringProgram, fillApp, methodNotAllowed, refuseDoubleSlash } from '../../http/every-answer.ts';
import { type Call, expressPath, joinParams, requestHeaders } from '../../http/parse-request.ts';
import { announcedBody, type ByteBudget, createByteBudget } from '../../http/request-body.ts';
import { noteCaller, noteRoute, requestIdOfResponse, type RequestTraces } from '../../http/request-log.ts';
import type { BuildContext } from '../context.ts';
import type { ConfigurationService } from '../service/configuration-service.ts';

export interface BuildManagementApp extends AnsweringProgram {
  readonly calls: readonly Call<BuildContext>[];
  readonly guards: RequestGuards;
}

/** Adds the calls of the table to an empty app. There are no pages here. */
export function fillBuildManagementApp(app: Express, { calls, guards, ...program }: BuildManagementApp): void {
  fillApp(app, program, () => {
    mountCalls(app, calls, guards);
    app.use((request) => {
      refuseDoubleSlash(request.originalUrl);
      throw new Refusal('ROUTE_NOT_FOUND', 'Build management has no such address.');
    });
  });
}

interface RequestGuards {
  identify(token: string): Promise<Caller>;
  /** Whether an authorization is that of the configuration service. */
  isService(authorization: string | undefined): boolean;
  authorize(permission: Permission, asked: { caller: Caller; token: string | undefined; org: string }): Promise<void>;
  readonly rateLimit: RateLimit;
  readonly bodyLimit: number;
  readonly answers: AnswerBudget;
  readonly traces: RequestTraces;
  context(caller: Caller, token: string | undefined, requestId: string): Omit<BuildContext, 'hold'>;
}

/** Mounts every call on its path. `HEAD` is answered wherever `GET` is. */
function mountCalls(app: Express, calls: readonly Call<BuildContext>[], guards: RequestGuards): void {
  const budget = createByteBudget(Math.max(LIMITS.unknownBodies, 4 * guards.bodyLimit));
  const events = createFairShare(EVENTS);
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
      await serve(call, request, response, { ...guards, budget, events });
    });
  }
}

/**
 * Events of git vendors are processed in order for each webhook, so that a vendor that sends a thousand at once does not fill the queue of
 * the database that other calls share.
 */
const EVENTS = {
  atOnce: LIMITS.webhooksAtOnce,
  perShare: 1,
  waitingPerShare: LIMITS.webhookEventsWaiting,
  waiting: LIMITS.allEventsWaiting,
  called: 'events',
  of: 'this webhook',
};

/**
 * Turns of the event loop before each event. After a thousand connections, a new one is accepted last, one for each turn, so turns that
 * store an event must be few among the others.
 */
const TURNS_BETWEEN = 8;

/** The order of defence: names in the path, content type, size, token, rate, permission, body, rules. Public rows have no token. */
async function serve(
  { row, params: parse, run }: Call<BuildContext>,
  request: Request,
  response: Response,
  // Events of git vendors are signed over the entire body.
  guards: RequestGuards & { readonly budget: ByteBudget; readonly events: FairShare },
): Promise<void> {
  noteRoute(response, row.path);
  const params = parse(joinParams(request.params));
  const read = announcedBody(request, row.body, guards.bodyLimit);
  const headers = requestHeaders(request);
  const isPublic = row.permission === 'public';
  const presented = isPublic ? undefined : presentedToken(headers);
  // A cookie of the service is not valid for this program.
  const token = presented?.credential === 'header' ? presented.token : undefined;
  const caller: Caller = token === undefined ? { kind: 'anonymous' } : await guards.identify(token);
  noteCaller(response, caller);
  const isKnown = caller.kind !== 'anonymous' || guards.isService(headers['authorization']);
  await guards.traces.within(request, response, { row, params, isKnown }, async () => {
    const org = typeof params['org'] === 'string' ? params['org'] : '';
    // The service reads all files of a branch with the repository's secret: those calls are not counted.
    if (!isPublic || row.outside === 'webhook') guards.rateLimit(caller, request, response);
    if (!isPublic) {
      await guards.authorize(row.permission, { caller, token, org });
    }
    const body = await read(caller.kind === 'anonymous' ? (bytes) => guards.budget.hold(response, bytes) : undefined);
    const context: BuildContext = {
      ...guards.context(caller, token, requestIdOfResponse(response)),
      hold: (holder, bytes) => guards.answers.hold(response, holder, bytes),
    };
    const arrived = { params, url: request.url, headers, body };
    const work = () => guards.traces.operation(row, () => run(context, arrived));
    const inTurn = async () => {
      for (let turns = 0; turns < TURNS_BETWEEN; turns += 1) await yieldToEventLoop();
      return await work();
    };
    const webhook = row.outside === 'webhook' ? params['webhook'] : undefined;
    answer(request, response, typeof webhook === 'string' ? await guards.events.run(webhook, inTurn) : await work());
  });
}

type AnswerBudget = ReturnType<typeof createAnswerBudget>;

/**
 * The memory that answers with code use until they are sent. One organization gets at most half of it, so that there is always some for
 * others; slow readers are cut off. Takes bytes, and the milliseconds that sending an answer may take.
 */
export function createAnswerBudget({ most, sending }: { readonly most: number; readonly sending: number }) {
  const byResponse = new Map<ServerResponse, number>();
  const held = createMemoryBudget(most, most / 2);
  const follow = (response: ServerResponse, org: string) => {
    const late = setTimeout(() => response.destroy(), sending);
    late.unref();
    response.once('close', () => {
      clearTimeout(late);
      held.count(org, -(byResponse.get(response) ?? 0));
      byResponse.delete(response);
    });
  };
  return {
    /** Reserves bytes before they are held. Refuses with OVERLOADED if they do not fit. */
    hold(response: ServerResponse, org: string, bytes: number): void {
      const full = held.full(org, bytes);
      // After the caller has disconnected, nothing would release the bytes.
      if (response.closed || full === 'share') throw overloaded('code of this organization');
      if (full === 'all') throw overloaded('code');
      if (!byResponse.has(response)) follow(response, org);
      byResponse.set(response, (byResponse.get(response) ?? 0) + bytes);
      held.count(org, bytes);
    },
  };
}

function overloaded(what: string): Refusal {
  return new Refusal('OVERLOADED', `Too much ${what} is being read right now. Try again in a few seconds.`, { retryAfter: 5 });
}

/**
 * Checks whether a caller is authorized. Calls the configuration service with the caller's own token, so that a revoked one is refused; its
 * answer contains the organization's users. Refuses with NOT_AUTHENTICATED or NOT_AUTHORIZED.
 */
export async function authorize(
  service: ConfigurationService,
  permission: Permission,
  asked: { readonly caller: Caller; readonly token: string | undefined; readonly org: string },
): Promise<void> {
  if (permission === 'public') return;
  const { caller, token, org } = asked;
  if (caller.kind === 'anonymous' || token === undefined)
    throw new Refusal('NOT_AUTHENTICATED', 'not authenticated', {
      detail: 'Sign in at the configuration service and send its token in the header x-auth-token.',
    });
  const configuration = await service.organization(org, token);
  if (permission === 'signed-in') return;
  const roles = rolesOf(caller, configuration);
  if (GRANTS[permission].some((role) => roles.has(role))) return;
  throw new Refusal('NOT_AUTHORIZED', 'not authorized', {
    detail: `Ask an administrator of the organization ${org} for the role "admin".`,
  });
}
