import { randomUUID } from 'node:crypto';
import express from 'express';
import { createDelivery } from '#backend/delivery/deliver.ts';
import { serviceHosts } from '#backend/delivery/service-host.ts';
import { createKnownKeys } from '#backend/domain/api-keys/known-keys.ts';
import type { Store } from '#backend/domain/ports.ts';
import { createKnownSecrets } from '#backend/domain/secrets/known-secrets.ts';
import { createTokens } from '#backend/domain/sessions/tokens.ts';
import { authorize } from '#backend/domain/roles/authorize.ts';
import { fillHttpApp } from '#backend/http/http-app.ts';
import { createRateLimit } from '#backend/http/rate-limit.ts';
import { authenticate } from '#backend/http/session/authenticate.ts';
import { tableCalls } from '#backend/http/table-calls.ts';
import { createCodeHost } from '#backend/remote/code-host.ts';
import { createRemote } from '#backend/remote/remote.ts';
import { openStore } from '#backend/storage/open-store.ts';
import { openSigningKeys } from '#backend/storage/signing-key-file.ts';
import { addressesOf } from './config.ts';
import type { Settings } from './config.ts';
import { createLog } from './log.ts';
import type { Log } from './log.ts';
import { listen } from './server.ts';
import { wireCode } from './wire-code.ts';
import { wirePages } from './wire-pages.ts';
import { wireVerbs } from './wire-verbs.ts';

export interface Backend {
  /** Scheme, host and port, without a trailing slash. */
  readonly address: string;
  stop(): Promise<void>;
}

/** What a test may put in place of the real thing. */
export interface Overrides {
  readonly store?: Store;
  readonly log?: Log;
  now?(): Date;
}

const REMOTE_LIMITS = { timeout: 10_000, sizeLimit: 10 * 1024 * 1024 };

/** Starts the whole backend; resolves when it answers. Rejects with a sentence, and leaves nothing open. */
export async function startBackend(settings: Settings, overrides: Overrides = {}): Promise<Backend> {
  const log = overrides.log ?? createLog(settings.LOG_LEVEL);
  const now = overrides.now ?? (() => new Date());
  const store = overrides.store ?? (await openStore(storeSettings(settings, log)));
  const closing: (() => unknown)[] = [() => store.close()];
  try {
    return await serve(settings, { log, now, store, closing });
  } catch (error) {
    for (const close of closing.toReversed()) await close();
    throw error;
  }
}

interface Parts {
  readonly log: Log;
  readonly store: Store;
  /** How to close what is open, in the order of opening. */
  readonly closing: (() => unknown)[];
  now(): Date;
}

async function serve(settings: Settings, { log, now, store, closing }: Parts): Promise<Backend> {
  const remote = createRemote({ internalAddresses: settings.INTERNAL_ADDRESSES, ...REMOTE_LIMITS });
  closing.push(() => remote.close());
  const { sync, box, codeStored } = await wireCode(settings, { store, remote, log, now });
  closing.push(() => sync.close());
  const app = express();
  const server = await listen(app, { host: settings.HOST, port: settings.PORT });
  const grace = settings.SHUTDOWN_GRACE * 1000;
  closing.push(() => server.stop(grace));
  const { isStopping } = server;

  const { publicAddress, hosts } = addressesOf(settings, server.port);
  const knownKeys = createKnownKeys({ store, now });
  const tokens = createTokens({
    keys: await openSigningKeys(settings.SIGNING_KEY_FILE),
    issuer: publicAddress,
    lifetime: settings.TOKEN_LIFETIME,
    store,
    apiKeys: knownKeys,
    now,
  });
  const codeHost = createCodeHost(remote, { api: settings.CODE_HOST_API, raw: settings.CODE_HOST_RAW });
  const operators = settings.OPERATORS.map((one) => one.toLowerCase());
  const domain = { hosts, operators, codeHost: settings.CODE_HOST, versionsKept: settings.VERSIONS_KEPT };
  fillHttpApp(app, {
    calls: tableCalls(
      wireVerbs(settings, {
        publicAddress,
        hosts,
        tokens,
        knownKeys,
        remote,
        runner: sync.runner,
        files: sync.files,
        box,
        now,
        isStopping,
      }),
    ),
    door: {
      authenticate: (headers) => authenticate(tokens, headers),
      authorize,
      rateLimit: createRateLimit({ rate: settings.RATE_LIMIT, burst: settings.RATE_LIMIT_BURST }, now),
      bodyLimit: settings.BODY_LIMIT,
      ownOrigin: new URL(publicAddress).origin,
      context: (caller, requestId) => ({ caller, requestId, store, codeHost, settings: domain, codeStored, now, newId: randomUUID }),
    },
    allowedOrigins: settings.ALLOWED_ORIGINS,
    log,
    newId: randomUUID,
    isStopping,
  });
  const isServiceHost = serviceHosts(publicAddress, hosts);
  const failed = (error: unknown) => log.failure('delivery', error);
  const delivery = createDelivery({
    store,
    domains: hosts,
    code: sync.files,
    pages: wirePages(settings, remote),
    guard: { tokens, secrets: createKnownSecrets({ store, now }) },
    isServiceHost,
    isStopping,
    failed,
  });
  closing.push(() => delivery.close());
  server.open(delivery.deliver);

  let stopped: Promise<void> | undefined;
  const stop = async () => {
    sync.quiet();
    await server.stop(grace);
    await sync.close();
    delivery.close();
    await remote.close();
    await store.close();
  };
  return { address: publicAddress, stop: () => (stopped ??= stop()) };
}

function storeSettings({ DATA_DIR, DATABASE_URL }: Settings, { failure }: Log) {
  return { dataDir: DATA_DIR, log: failure, ...(DATABASE_URL !== undefined && { databaseUrl: DATABASE_URL.reveal() }) };
}
