import { GRANTS, type Permission } from '@repoless/contract/access.ts';
import {
  type BuildManagementEndpointId,
  buildManagementEndpoints,
  type BuildManagementEndpoints,
} from '@repoless/contract/build-management-endpoints.ts';
import type { Endpoint } from '@repoless/contract/endpoint.ts';
import type { ErrorCode } from '@repoless/contract/errors.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { VERSION } from '@repoless/contract/version.ts';
import type { Express, Request, Response } from 'express';
import type { ServerResponse } from 'node:http';
import { rolesOf } from '../../access/roles.ts';
import { createMemoryBudget } from '../../domain/answer-budget.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import { createFairShare, type FairShare, yieldToEventLoop } from '../../domain/fair-share.ts';
import { answer } from '../../http/answer.ts';
import { networkOf, presentedToken, type RateLimit } from '../../http/caller.ts';
import { type AnsweringProgram, fillApp } from '../../http/every-answer.ts';
import { byPath, methodNotAllowed, mountMethods, refuseDoubleSlash } from '../../http/mount.ts';
import { buildManagementDocument, lazily } from '../../http/openapi.ts';
import { bindCall, bodyReader, type Call, joinParams, requestHeaders } from '../../http/parse-request.ts';
import { type ByteBudget, createByteBudget } from '../../http/request-body.ts';
import { notesOf, type RequestTraces } from '../../log.ts';
import { probeOperations, type ProgramState } from '../../http/service-operations.ts';
import { admit, readBranch, readRaw, readTree } from '../content/read-content.ts';
import type { BuildContext, BuildOperation } from '../context.ts';
import { createSite, linkRepository, unlinkRepository } from '../repositories/link-repository.ts';
import {
  findRepository,
  getRepository,
  getRepositoryStatus,
  listBranches,
  listRepositories,
  onboardRepository,
  removeRepository,
  retryRepository,
} from '../repositories/repository-operations.ts';
import type { ConfigurationService } from '../service/configuration-service.ts';
import { listDeliveries, receiveWebhook, resendDelivery, rotateWebhook, syncCode } from '../webhooks/webhook-operations.ts';
import type { Caller } from '../../sessions/identity.ts';

interface BuildManagementApp extends AnsweringProgram {
  readonly state: ProgramState;
  readonly guards: RequestGuards;
}

export function fillBuildManagementApp(app: Express, { state, guards, ...program }: BuildManagementApp): void {
  fillApp(app, program, () => {
    mountCalls(app, buildManagementCalls(program.publicAddress, state), guards);
    app.use((request) => {
      refuseDoubleSlash(request.originalUrl);
      throw new Refusal('ROUTE_NOT_FOUND', 'Build management has no such address.');
    });
  });
}

type BuildOperations = { readonly [Id in BuildManagementEndpointId]: BuildOperation<BuildManagementEndpoints[Id]> };

function buildManagementCalls(publicAddress: string, state: ProgramState): Call<BuildContext>[] {
  const { live, ready, health } = probeOperations(state);
  const openApi = lazily(() => buildManagementDocument(publicAddress, VERSION));
  const operations: BuildOperations = {
    getBuildManagement: async ({ rules }) => ({
      status: 200,
      body: { name: 'build-management', version: VERSION, codeSync: rules.codeSync },
    }),
    getBuildManagementLive: live,
    getBuildManagementReady: ready,
    getBuildManagementHealth: health,
    getBuildManagementOpenApi: async () => ({ status: 200, body: openApi() }),
    listRepositories,
    getRepository,
    getRepositoryStatus,
    onboardRepository,
    retryRepository,
    removeRepository,
    linkRepository,
    unlinkRepository,
    createSite,
    rotateWebhook,
    listBranches,
    syncCode,
    listDeliveries,
    resendDelivery,
    receiveWebhook,
    readRaw,
    readBranch,
    readTree,
  };
  return endpointIds().map((id) => callOf(id, operations));
}

/** The cast is safe: the table is a constant with exactly these keys. */
function endpointIds(): BuildManagementEndpointId[] {
  return Object.keys(buildManagementEndpoints) as BuildManagementEndpointId[];
}

function callOf<Id extends BuildManagementEndpointId>(id: Id, operations: BuildOperations): Call<BuildContext> {
  return bindCall<BuildManagementEndpoints[Id], BuildContext>(buildManagementEndpoints[id], unlessRemoved(operations[id]));
}

/** A repository may be removed while a call works on it: a resulting failure is refused like a call after the removal. */
function unlessRemoved<E extends Endpoint>(operation: BuildOperation<E>): BuildOperation<E> {
  return async (context, input) => {
    try {
      return await operation(context, input);
    } catch (error) {
      if (error instanceof Refusal && !MISSING.has(error.code)) throw error;
      const { org, repository, owner, repo }: Readonly<Record<string, unknown>> = { ...input.params };
      if (typeof org === 'string' && typeof repository === 'string') await findRepository(context, { org, repository });
      else if (typeof org !== 'string' && typeof owner === 'string' && typeof repo === 'string')
        await admit(context, { owner, repo }, input.headers['authorization']);
      throw error;
    }
  };
}

const MISSING: ReadonlySet<ErrorCode> = new Set(['FILE_NOT_FOUND', 'BRANCH_NOT_FOUND']);

interface RequestGuards {
  identify(token: string): Promise<Caller>;
  isService(authorization: string | undefined): boolean;
  authorize(permission: Permission, request: { caller: Caller; token: string | undefined; org: string }): Promise<void>;
  readonly rateLimit: RateLimit;
  readonly bodyLimit: number;
  readonly answers: AnswerBudget;
  readonly traces: RequestTraces;
  context(caller: Caller, token: string | undefined, requestId: string): Omit<BuildContext, 'reserve'>;
}

function mountCalls(app: Express, calls: readonly Call<BuildContext>[], guards: RequestGuards): void {
  const budget = createByteBudget(Math.max(LIMITS.unknownBodies, 4 * guards.bodyLimit));
  const events = createFairShare(EVENTS);
  for (const [path, here] of byPath(calls)) {
    mountMethods(app, path, here, async (call, request, response, allow) => {
      if (call === undefined) throw methodNotAllowed(response, allow);
      await serve(call, request, response, { ...guards, budget, events });
    });
  }
}

/** Events of a webhook run one after the other: a thousand at once must not fill the queue of the database that other calls share. */
const EVENTS = {
  atOnce: LIMITS.webhooksAtOnce,
  perShare: 1,
  waitingPerShare: LIMITS.webhookEventsWaiting,
  waiting: LIMITS.allEventsWaiting,
  workName: 'events',
  of: 'this webhook',
};

/** Yields before each event: the event loop accepts one new connection between two of them, which events would otherwise delay. */
const TURNS_BETWEEN = 8;

/** The order of defence: names in the path, content type, size, token, rate, permission, body, rules. Public rows have no token. */
async function serve(
  { row, params: parse, run }: Call<BuildContext>,
  request: Request,
  response: Response,
  guards: RequestGuards & { readonly budget: ByteBudget; readonly events: FairShare },
): Promise<void> {
  const notes = notesOf(response);
  notes.route = row.path;
  const params = parse(joinParams(request.params));
  const read = bodyReader(request, row.body, guards.bodyLimit);
  const headers = requestHeaders(request);
  const isPublic = row.permission === 'public';
  const presented = isPublic ? undefined : presentedToken(headers);
  // A cookie of the configuration service is not valid for this program.
  const token = presented?.credential === 'header' ? presented.token : undefined;
  const caller: Caller = token === undefined ? { kind: 'anonymous' } : await guards.identify(token);
  if (caller.kind === 'user') notes.user = caller.email;
  const isKnown = caller.kind !== 'anonymous' || guards.isService(headers['authorization']);
  await guards.traces.within(request, response, { row, params, isKnown }, async () => {
    const org = typeof params['org'] === 'string' ? params['org'] : '';
    // The service reads all files of a branch with the repository's secret: those calls are not counted.
    if (!isPublic || row.outside === 'webhook') guards.rateLimit(caller, networkOf(notes.address), response);
    if (!isPublic) await guards.authorize(row.permission, { caller, token, org });
    const body = await read(caller.kind === 'anonymous' ? (bytes) => guards.budget.reserve(response, bytes) : undefined);
    const context: BuildContext = {
      ...guards.context(caller, token, notes.requestId),
      reserve: (holder, bytes) => guards.answers.reserve(response, holder, bytes),
    };
    const received = { params, url: request.url, headers, body };
    const work = () => guards.traces.operation(row, () => run(context, received));
    const afterOtherWork = async () => {
      for (let turns = 0; turns < TURNS_BETWEEN; turns += 1) await yieldToEventLoop();
      return await work();
    };
    const webhook = row.outside === 'webhook' ? params['webhook'] : undefined;
    answer(request, response, typeof webhook === 'string' ? await guards.events.run(webhook, afterOtherWork) : await work());
  });
}

type AnswerBudget = ReturnType<typeof createAnswerBudget>;

/**
 * The memory that answers with code use until they are sent. One organization gets at most half of it; slow clients are disconnected. Takes
 * the bytes, and the milliseconds that sending an answer may take.
 */
export function createAnswerBudget({ limit, sendTimeout }: { readonly limit: number; readonly sendTimeout: number }) {
  const byResponse = new Map<ServerResponse, number>();
  const reserved = createMemoryBudget(limit, limit / 2);
  const releaseWithResponse = (response: ServerResponse, org: string) => {
    const timer = setTimeout(() => response.destroy(), sendTimeout);
    timer.unref();
    response.once('close', () => {
      clearTimeout(timer);
      reserved.count(org, -(byResponse.get(response) ?? 0));
      byResponse.delete(response);
    });
  };
  return {
    /** Reserves bytes before they are held. Refuses with OVERLOADED if they do not fit. */
    reserve(response: ServerResponse, org: string, bytes: number): void {
      const full = reserved.full(org, bytes);
      // After the caller has disconnected, nothing would release the bytes.
      if (response.closed || full === 'share') throw overloaded('code of this organization');
      if (full === 'all') throw overloaded('code');
      if (!byResponse.has(response)) releaseWithResponse(response, org);
      byResponse.set(response, (byResponse.get(response) ?? 0) + bytes);
      reserved.count(org, bytes);
    },
  };
}

function overloaded(what: string): Refusal {
  return new Refusal('OVERLOADED', `Too much ${what} is being read right now. Try again in a few seconds.`, { retryAfter: 5 });
}

/** Calls the configuration service with the caller's own token, so that a revoked one is refused; it answers with the users. */
export async function authorize(
  service: ConfigurationService,
  permission: Permission,
  request: { readonly caller: Caller; readonly token: string | undefined; readonly org: string },
): Promise<void> {
  if (permission === 'public') return;
  const { caller, token, org } = request;
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
