import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import express from 'express';
import { createLog } from '#backend/log.ts';
import type { Log } from '#backend/log.ts';
import { createRateLimit } from '#backend/http/rate-limit.ts';
import { createRemote } from '#backend/remote/remote.ts';
import { listen } from '#backend/server.ts';
import { openSecretBox } from '#backend/storage/secret-key-file.ts';
import { authorize } from './access/authorize.ts';
import { createBackground } from './background.ts';
import { buildManagementCalls } from './build-management-calls.ts';
import type { Services } from './context.ts';
import { openMirrors } from './git/mirrors.ts';
import { openObjects } from './git/objects.ts';
import { fillBuildManagementApp } from './http/build-management-app.ts';
import { beginCheck } from './repositories/check-repository.ts';
import { configurationService } from './service/configuration-service.ts';
import type { BuildManagementSettings } from './settings.ts';
import { openBuildStore } from './store/open-store.ts';
import { beginDelivery } from './webhooks/run-delivery.ts';

export interface BuildManagement {
  /** Scheme, host and port, without a trailing slash. */
  readonly address: string;
  stop(): Promise<void>;
}

/** What a test may put in place of the real thing. */
export interface BuildManagementOverrides {
  readonly log?: Log;
  now?(): Date;
}

const SERVICE_LIMITS = { timeout: 15_000, sizeLimit: 4 * 1024 * 1024 };

/** Starts build management; resolves when it answers. Rejects with a sentence, and leaves nothing open. */
export async function startBuildManagement(
  settings: BuildManagementSettings,
  overrides: BuildManagementOverrides = {},
): Promise<BuildManagement> {
  const log = overrides.log ?? createLog(settings.LOG_LEVEL);
  const closing: (() => unknown)[] = [];
  const close = async () => {
    for (const one of closing.splice(0).toReversed()) await one();
  };
  try {
    const address = await serve(settings, { log, closing, now: overrides.now ?? (() => new Date()) });
    let stopped: Promise<void> | undefined;
    return { address, stop: () => (stopped ??= close()) };
  } catch (error) {
    await close();
    throw error;
  }
}

interface Parts {
  readonly log: Log;
  /** How to close what is open, in the order of opening. */
  readonly closing: (() => unknown)[];
  now(): Date;
}

async function serve(settings: BuildManagementSettings, { log, closing, now }: Parts): Promise<string> {
  const { DATA_DIR: dataDir, DATABASE_URL: databaseUrl, INTERNAL_ADDRESSES: internalAddresses } = settings;
  const box = await openSecretBox(settings.SECRET_KEY_FILE);
  const store = await openBuildStore({
    dataDir,
    log: log.failure,
    ...(databaseUrl !== undefined && { databaseUrl: databaseUrl.reveal() }),
  });
  closing.push(() => store.close());
  // The address of the service is the operator's own: it may lie within.
  const remote = createRemote({ internalAddresses: 'allow', ...SERVICE_LIMITS });
  closing.push(() => remote.close());
  const objects = openObjects();
  closing.push(() => objects.close());
  const background = createBackground((name, error) => log.failure(name, error));
  closing.push(() => background.stop());

  const app = express();
  const server = await listen(app, { host: settings.HOST, port: settings.PORT });
  closing.push(() => server.stop(settings.SHUTDOWN_GRACE * 1000));
  const publicAddress = settings.PUBLIC_ADDRESS ?? `http://localhost:${server.port}`;
  const { SERVICE_ADDRESS, SERVICE_ISSUER, BUILD_MANAGEMENT_KEY } = settings;
  const service = configurationService(
    remote,
    { address: SERVICE_ADDRESS, issuer: SERVICE_ISSUER, key: () => BUILD_MANAGEMENT_KEY.reveal() },
    now,
  );
  const services: Services = {
    store,
    box,
    objects,
    service,
    background,
    mirrors: openMirrors({
      folder: join(dataDir, 'mirrors'),
      internalAddresses,
      repositoryLimit: settings.REPOSITORY_LIMIT,
      timeout: settings.GIT_TIMEOUT * 1000,
      stopping: background.signal,
    }),
    rules: {
      publicAddress,
      codeSync: { url: `${publicAddress}/api`, rawUrl: `${publicAddress}/raw` },
      allowHttp: internalAddresses === 'allow',
      fileLimit: settings.FILE_LIMIT,
    },
    now,
    newId: randomUUID,
    newSecret: () => randomBytes(32).toString('base64url'),
  };
  fillBuildManagementApp(app, {
    calls: buildManagementCalls(publicAddress, server.isStopping),
    door: {
      identify: service.identify,
      authorize: (permission, asked) => authorize(service, permission, asked),
      rateLimit: createRateLimit({ rate: settings.RATE_LIMIT, burst: settings.RATE_LIMIT_BURST }, now),
      bodyLimit: settings.BODY_LIMIT,
      context: (caller, requestId) => ({ ...services, caller, requestId }),
    },
    allowedOrigins: settings.ALLOWED_ORIGINS,
    log,
    newId: randomUUID,
    isStopping: server.isStopping,
  });
  await takeUp(services);
  server.open(() => false);
  return publicAddress;
}

/** What an earlier program left unfinished. */
async function takeUp(services: Services): Promise<void> {
  for (const repository of await services.store.repositories.unchecked()) beginCheck(services, repository);
  for (const { delivery, repository: id } of await services.store.deliveries.accepted()) {
    const repository = await services.store.repositories.byId(id);
    if (repository !== undefined) beginDelivery(services, repository, delivery);
  }
}
