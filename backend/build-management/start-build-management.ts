import { buildManagementEndpoints } from '@repoless/contract/build-management-endpoints.ts';
import type { Endpoint } from '@repoless/contract/endpoint.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import express from 'express';
import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { openSecretBox } from '../db/key-files.ts';
import { lockFolder } from '../db/sqlite/connect.ts';
import { createFairShare } from '../domain/fair-share.ts';
import { bearerOf, sameText } from '../secrets/secret-box.ts';
import { clientAddress, createRateLimit } from '../http/caller.ts';
import { createLoadShedding, listedOrigins } from '../http/every-answer.ts';
import { createLog, type Log, requestTraces } from '../log.ts';
import { measure, traceProgram } from '../run-program.ts';
import { createLookups } from '../remote/guarded-lookup.ts';
import { createRemote } from '../remote/remote.ts';
import { listen } from '../server.ts';
import type { Tracing } from '../tracing/tracing.ts';
import { createBackground, createEventQueue, createPendingChecks } from './background-work.ts';
import { type Services, resealTexts } from './context.ts';
import { createCoalescedRuns, openMirrors, sweepMirrors, openObjects } from './git/mirrors.ts';
import { authorize, createAnswerBudget, fillBuildManagementApp } from './http/build-management-app.ts';
import { startCheck } from './repositories/refresh-mirror.ts';
import { configurationService } from './service/configuration-service.ts';
import type { BuildManagementSettings } from './settings.ts';
import { isStorageUnavailable, openBuildStore } from './store/open-store.ts';
import { forwardTrail } from './store/trail.ts';
import { startDelivery } from './webhooks/run-delivery.ts';

export interface BuildManagement {
  readonly address: string;
  stop(): Promise<void>;
}

/** What tests may replace. */
interface BuildManagementOverrides {
  readonly log?: Log;
  now?(): Date;
}

/** Waiting work is stored and resumed at the next start, so none of it is refused. Events are counted before they are stored. */
const TRANSFERS = { atOnce: 6, perShare: 2, waitingPerShare: Infinity, waiting: Infinity, workName: 'transfers' };
const LISTINGS = { atOnce: 4, perShare: 2, waitingPerShare: 20, waiting: 200, workName: 'lists of files' };
/** Leaves capacity for others when the vendors of five organizations do not respond. */
const VENDOR_CALLS = {
  atOnce: LIMITS.vendorCalls,
  perShare: LIMITS.vendorCallsOfOrg,
  waitingPerShare: LIMITS.vendorCallsWaiting,
  waiting: 200,
  workName: 'calls of git vendors',
};
const ADDITIONS = { atOnce: Infinity, perShare: 1, waitingPerShare: 20, waiting: Infinity, workName: 'new repositories' };
const TITLE = 'Build management';
const SERVICE_LIMITS = { timeout: 15_000, sizeLimit: 4 * 1024 * 1024 };

/** Starts build management; resolves when it responds. Rejects with a message, and leaves nothing open. */
export async function startBuildManagement(
  settings: BuildManagementSettings,
  overrides: BuildManagementOverrides = {},
): Promise<BuildManagement> {
  const { tracing, log } = await traceProgram(settings, overrides.log ?? createLog(settings.LOG_LEVEL));
  const closing: (() => unknown)[] = [() => tracing.close()];
  const close = async () => {
    for (const one of closing.splice(0).toReversed()) await one();
  };
  try {
    const address = await serve(settings, { log, tracing, closing, now: overrides.now ?? (() => new Date()) });
    let stopped: Promise<void> | undefined;
    return { address, stop: () => (stopped ??= close()) };
  } catch (error) {
    await close();
    throw error;
  }
}

interface Parts {
  readonly log: Log;
  readonly tracing: Tracing;
  /** Closes what is open, in order of opening. */
  readonly closing: (() => unknown)[];
  now(): Date;
}

async function serve(settings: BuildManagementSettings, { log: plainLog, tracing, closing, now }: Parts): Promise<string> {
  const measuring = await measure(settings, plainLog);
  closing.push(() => measuring.close());
  const { log } = measuring;
  const { DATA_DIR: dataDir, DATABASE_URL: databaseUrl, INTERNAL_ADDRESSES: internalAddresses } = settings;
  const box = await openSecretBox(settings.SECRET_KEY_FILE);
  if (databaseUrl === undefined) {
    const maxWait = (settings.SHUTDOWN_DELAY + settings.SHUTDOWN_GRACE) * 1000;
    closing.push(await lockFolder(dataDir, { name: 'build management', maxWait, onWaiting: log.info }));
  }
  const store = await openBuildStore({
    dataDir,
    log: log.failure,
    ...(databaseUrl !== undefined && { databaseUrl: databaseUrl.reveal() }),
  });
  closing.push(() => store.close());
  await reseal(settings, { store, box }, log);
  // The operator sets the address of the service, so it may be internal.
  const lookups = createLookups([]);
  const remote = createRemote({ internalAddresses: 'allow', resolve: lookups.partners, tracing, ...SERVICE_LIMITS });
  closing.push(() => remote.close());
  const objects = openObjects(settings.FILE_COUNT_LIMIT, settings.LISTING_TIME * 1000);
  closing.push(() => objects.close());
  const background = createBackground((name, error) => log.failure(name, error));
  closing.push(() => background.stop());

  const app = express();
  const gitTimeout = settings.GIT_TIMEOUT * 1000;
  const server = await listen(app, { host: settings.HOST, port: settings.PORT }, { requestTimeout: gitTimeout, log });
  closing.push(() => server.stop({ delay: settings.SHUTDOWN_DELAY * 1000, grace: settings.SHUTDOWN_GRACE * 1000 }));
  const publicAddress = settings.PUBLIC_ADDRESS ?? `http://localhost:${server.port}`;
  const { SERVICE_ADDRESS: serviceAddress, SERVICE_ISSUER: issuer, BUILD_MANAGEMENT_KEY: key } = settings;
  const service = configurationService(remote, { address: serviceAddress, issuer, key: () => key.reveal() }, now);
  const mirrorFolder = join(dataDir, 'mirrors');
  const trailForwarder = forwardTrail(store.trail, service, background);
  const services: Services = {
    store,
    box,
    objects,
    service,
    background,
    transfers: createFairShare(TRANSFERS),
    listings: createFairShare(LISTINGS),
    vendorCalls: createFairShare(VENDOR_CALLS),
    additions: createFairShare(ADDITIONS),
    events: createEventQueue(),
    checks: createPendingChecks(),
    refreshes: createCoalescedRuns(),
    trailForwarder,
    isService: (authorization) => key.use((value) => sameText(bearerOf(authorization), value)),
    mirrors: openMirrors({
      folder: mirrorFolder,
      internalAddresses,
      lookup: lookups.tenants,
      repositoryLimit: settings.REPOSITORY_LIMIT,
      timeout: gitTimeout,
      stopping: background.signal,
      onRelease: (path) => objects.release(path),
      exists: async (key) => (await store.repositories.byKey(key)) !== undefined,
    }),
    rules: {
      publicAddress,
      codeSync: { url: `${publicAddress}/api`, rawUrl: `${publicAddress}/raw` },
      allowHttp: internalAddresses === 'allow',
      fileLimit: settings.FILE_LIMIT,
      fileCountLimit: settings.FILE_COUNT_LIMIT,
      repositoryLimit: settings.REPOSITORY_LIMIT,
      externalLimit: settings.EXTERNAL_REPOSITORIES,
      gitTimeout,
    },
    now,
    newId: randomUUID,
    newSecret: () => randomBytes(32).toString('base64url'),
  };
  const addressOf = clientAddress(settings.TRUST_PROXY);
  const rateLimit = createRateLimit({ rate: settings.RATE_LIMIT, burst: settings.RATE_LIMIT_BURST }, now);
  const allowsOrigin = listedOrigins(settings.ALLOWED_ORIGINS);
  const { isLeaving, isStopping } = server;
  const shedding = createLoadShedding({
    title: TITLE,
    limit: settings.OVERLOAD_DELAY,
    allowsOrigin,
    isServiceHost: () => true,
    newId: randomUUID,
    log,
    clientAddress: addressOf,
  });
  closing.push(() => shedding.close());
  fillBuildManagementApp(app, {
    title: TITLE,
    publicAddress,
    state: { title: TITLE, isLeaving, isOverloaded: shedding.isOverloaded },
    guards: {
      identify: service.identify,
      isService: services.isService,
      traces: requestTraces(tracing, publicAddress, Object.entries<Endpoint>(buildManagementEndpoints)),
      authorize: (permission, request) => authorize(service, permission, request),
      rateLimit,
      bodyLimit: settings.BODY_LIMIT,
      answers: createAnswerBudget({ limit: LIMITS.codeAnswers * settings.FILE_LIMIT, sendTimeout: gitTimeout }),
      context: (caller, token, requestId) => ({ ...services, caller, token, requestId }),
    },
    allowsOrigin,
    log,
    clientAddress: addressOf,
    newId: randomUUID,
    isStopping,
  });
  await resumeUnfinished(services);
  trailForwarder.start();
  background.start('The sweep of mirrors', () => sweepMirrors(mirrorFolder, store.repositories.keys));
  server.open(shedding.refuse);
  return publicAddress;
}

/** Reseals under the newest key. If the storage accepts no writes, build management starts anyway, and the next start reseals the rest. */
async function reseal(
  { SECRET_KEY_FILE: file }: BuildManagementSettings,
  services: Pick<Services, 'store' | 'box'>,
  log: Log,
): Promise<void> {
  try {
    const { resealed, unreadable } = await resealTexts(services);
    if (resealed > 0) log.info(`${resealed} access tokens and webhook secrets were sealed again under the newest key.`);
    if (unreadable > 0)
      log.error(`${unreadable} access tokens and webhook secrets cannot be opened with the keys of ${file}. Put the older keys back.`);
  } catch (error) {
    if (!isStorageUnavailable(error)) throw error;
    log.failure('seal access tokens and webhook secrets again', error);
    log.error(`Access tokens and webhook secrets could not be stored under the newest key of ${file}. Keep the older keys, and restart.`);
  }
}

/** Resumes the checks and deliveries that were unfinished when the last process ended. */
async function resumeUnfinished(services: Services): Promise<void> {
  for (const repository of await services.store.repositories.unchecked()) startCheck(services, repository);
  for (const { delivery, repository: id } of await services.store.deliveries.accepted()) {
    const repository = await services.store.repositories.byId(id);
    if (repository !== undefined) startDelivery(services, repository, delivery, services.events.count(repository.org));
  }
}
