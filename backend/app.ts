import { allEndpoints } from '@repoless/contract/endpoints.ts';
import { LIMITS } from '@repoless/contract/limits.ts';
import { VERSION } from '@repoless/contract/version.ts';
import express from 'express';
import { randomUUID } from 'node:crypto';
import { createApiKeyCache } from './access/api-key-cache.ts';
import { authorize } from './access/permit.ts';
import { composeAssistant } from './composition/assistant.ts';
import { composeChecks, composeEventDelivery } from './composition/background.ts';
import { composeCode } from './composition/code.ts';
import { serviceFigures } from './composition/figures.ts';
import { composeOperations } from './composition/operations.ts';
import { composePages } from './composition/pages.ts';
import { composeRemotes, TITLE } from './composition/remotes.ts';
import { composeSiteYaml } from './composition/site-yaml.ts';
import { addressesOf, type Settings } from './config.ts';
import { openSecretBox, openSigningKeys } from './db/key-files.ts';
import { openStore } from './db/open-store.ts';
import { createDelivery } from './delivery/deliver.ts';
import { serviceHosts } from './delivery/service-host.ts';
import type { Caller, Context } from './domain/context.ts';
import type { Store } from './domain/ports.ts';
import { authenticate, clientAddress, createRateLimit } from './http/caller.ts';
import { createLoadShedding } from './http/early-refusals.ts';
import { extensionOrigin, listedOrOwnOrigins } from './http/every-answer.ts';
import { fillHttpApp } from './http/http-app.ts';
import { requestTraces } from './http/request-log.ts';
import { tableCalls } from './http/table-operations.ts';
import { createLog, type Log, recentFailures } from './log.ts';
import { measure, traceProgram } from './observe.ts';
import { rateLimitedCodeHost } from './orgs/claim-org.ts';
import { quotasOf } from './quotas.ts';
import { createCertificateReader } from './remote/certificate-reader.ts';
import { codeHostSource, type CodeHostSource, createCodeHost } from './remote/code-host.ts';
import { createCodeSources } from './remote/code-sources.ts';
import type { Resolve } from './remote/guarded-lookup.ts';
import { startRollouts } from './rollouts/start-rollouts.ts';
import type { SecretBox } from './secrets/secret-box.ts';
import { createSecretHashCache } from './secrets/secret-hash-cache.ts';
import { listen } from './server.ts';
import { createTokens } from './sessions/tokens.ts';
import type { Tracing } from './tracing/tracing.ts';

export interface Backend {
  /** Scheme, host and port, without a trailing slash. */
  readonly address: string;
  stop(): Promise<void>;
}

/** What a test may put in place of the real thing. */
export interface Overrides {
  readonly store?: Store;
  readonly log?: Log;
  readonly codeHost?: CodeHostSource;
  /** How the system resolves names. */
  readonly resolve?: Resolve;
  now?(): Date;
}

/** Starts the whole backend; resolves when it answers. Rejects with a sentence, and leaves nothing open. */
export async function startBackend(settings: Settings, overrides: Overrides = {}): Promise<Backend> {
  const { tracing, log } = await traceProgram(settings, overrides.log ?? createLog(settings.LOG_LEVEL));
  const now = overrides.now ?? (() => new Date());
  const closing: (() => unknown)[] = [() => tracing.close()];
  try {
    const box = await openSecretBox(settings.SECRET_KEY_FILE);
    const store = overrides.store ?? (await openStore({ ...storeSettings(settings, log), tracing }));
    closing.push(() => store.close());
    return await serve(settings, {
      log,
      tracing,
      now,
      store,
      box,
      closing,
      givenCodeHost: overrides.codeHost,
      resolve: overrides.resolve,
    });
  } catch (error) {
    for (const close of closing.toReversed()) await close();
    throw error;
  }
}

interface Parts {
  readonly log: Log;
  readonly tracing: Tracing;
  readonly store: Store;
  readonly box: SecretBox;
  readonly givenCodeHost: CodeHostSource | undefined;
  readonly resolve: Resolve | undefined;
  /** How to close what is open, in the order of opening. */
  readonly closing: (() => unknown)[];
  now(): Date;
}

async function serve(
  settings: Settings,
  { log: plainLog, tracing, now, store, box, closing, givenCodeHost, resolve }: Parts,
): Promise<Backend> {
  const measuring = await measure(settings, plainLog);
  closing.push(() => measuring.close());
  const failures = recentFailures(measuring.log, now);
  const { log } = failures;
  const { CODE_HOST, CODE_HOST_API, CODE_HOST_RAW, INTERNAL_ADDRESSES: internalAddresses } = settings;
  const remotes = composeRemotes(settings, { tracing, resolve });
  closing.push(() => remotes.close());
  const { lookups, tenants: remote, partners, own } = remotes;
  const { sync, firstSyncs } = await composeCode(settings, { store, box, remote, own, lookup: lookups.tenants, log, tracing, now });
  closing.push(() => sync.close());
  const app = express();
  const server = await listen(app, { host: settings.HOST, port: settings.PORT }, { log });
  const times = { delay: settings.SHUTDOWN_DELAY * 1000, grace: settings.SHUTDOWN_GRACE * 1000 };
  closing.push(() => server.stop(times));
  const { isLeaving, isStopping } = server;

  const { publicAddress, hosts } = addressesOf(settings, server.port);
  const knownKeys = createApiKeyCache({ store, now });
  const tokens = createTokens({
    keys: await openSigningKeys(settings.SIGNING_KEY_FILE),
    issuer: publicAddress,
    lifetime: settings.TOKEN_LIFETIME,
    store,
    apiKeys: knownKeys,
    now,
  });
  const addressOf = clientAddress(settings.TRUST_PROXY);
  const isServiceHost = serviceHosts(publicAddress, hosts);
  const origins = [...settings.ALLOWED_ORIGINS, ...settings.EXTENSION_IDS.map(extensionOrigin)];
  const allowsOrigin = listedOrOwnOrigins(origins, hosts);
  const shedding = createLoadShedding({
    title: TITLE,
    limit: settings.OVERLOAD_DELAY,
    allowsOrigin,
    isServiceHost,
    newId: randomUUID,
    log,
    clientAddress: addressOf,
  });
  closing.push(() => shedding.close());
  const codeHost = rateLimitedCodeHost(createCodeHost(partners, { api: CODE_HOST_API, raw: CODE_HOST_RAW }), now);
  const codeSources = createCodeSources({
    codeHost: givenCodeHost ?? codeHostSource(partners, { host: CODE_HOST, raw: CODE_HOST_RAW }),
    buildManagement: { address: settings.BUILD_MANAGEMENT, key: settings.BUILD_MANAGEMENT_KEY },
    remote: own,
    now,
  });
  const checks = composeChecks(settings, {
    hosts,
    publicAddress,
    store,
    files: sync.files,
    head: codeSources.head,
    branchProbe: sync.look,
    certificateLook: createCertificateReader({ internalAddresses, resolve: lookups.tenants, timeout: LIMITS.certificateTime }),
    log,
    now,
  });
  closing.push(() => checks.close());
  const telling = await composeEventDelivery(settings, { store, remote, box, publicAddress, log, now });
  closing.push(() => telling.close());
  const operators = settings.OPERATORS.map((one) => one.toLowerCase());
  const domain = { hosts, operators, codeHost: CODE_HOST, versionsKept: settings.VERSIONS_KEPT, quotas: quotasOf(settings) };
  const siteYamlProblem = composeSiteYaml();
  const context = (caller: Caller, requestId: string, address: string): Context => ({
    caller,
    requestId,
    address,
    store,
    codeHost,
    codeSources,
    siteYamlProblem,
    settings: domain,
    box,
    firstSyncs,
    now,
    newId: randomUUID,
  });
  const rollouts = startRollouts({
    store,
    look: checks.look,
    tracing,
    context: (caller, requestId) => context(caller, requestId, ''),
    now,
    failed: log.failure,
  });
  closing.push(() => rollouts.close());
  const assistant = composeAssistant(settings, { publicAddress, hosts, port: server.port, box, partners, log, tracing });
  closing.push(() => assistant.close());
  fillHttpApp(app, {
    title: TITLE,
    calls: tableCalls(
      composeOperations(settings, {
        publicAddress,
        hosts,
        tokens,
        remote,
        partners,
        runner: sync.runner,
        files: sync.files,
        look: sync.look,
        box,
        checks: { begin: (...asked) => tracing.apart(() => checks.begin(...asked)) },
        assistant,
        wakeTelling: () => tracing.apart(telling.wake),
        wakeRollouts: rollouts.wake,
        now,
        state: { title: TITLE, isLeaving, isOverloaded: shedding.isOverloaded },
        program: {
          version: VERSION,
          node: process.versions.node,
          started: now(),
          failures: failures.latest,
        },
      }),
    ),
    guards: {
      authenticate: (headers) => authenticate(tokens, headers),
      authorize,
      rateLimit: createRateLimit({ rate: settings.RATE_LIMIT, burst: settings.RATE_LIMIT_BURST }, addressOf, now),
      clientAddress: addressOf,
      bodyLimit: settings.BODY_LIMIT,
      ownOrigin: new URL(publicAddress).origin,
      traces: requestTraces(tracing, publicAddress, allEndpoints()),
      context,
    },
    allowsOrigin,
    log,
    newId: randomUUID,
    isStopping,
  });
  const failed = (error: unknown) => {
    const requestId = randomUUID();
    log.failure(requestId, error);
    return requestId;
  };
  const delivery = createDelivery({
    store,
    domains: hosts,
    code: sync.files,
    pages: composePages(settings, remote),
    guard: { tokens, secrets: createSecretHashCache({ store, now }) },
    isServiceHost,
    isStopping,
    failed,
    clientAddress: addressOf,
    refused: (line) => log.request({ requestId: randomUUID(), ...line }),
  });
  closing.push(() => delivery.close());
  measuring.add(serviceFigures({ store, delivery, isOverloaded: shedding.isOverloaded, now }));
  server.open((request, response) => shedding.refuse(request, response) || delivery.deliver(request, response));

  let stopped: Promise<void> | undefined;
  const stop = async () => {
    sync.quiet();
    await server.stop(times);
    await rollouts.close();
    await checks.close();
    assistant.close();
    await sync.close();
    await telling.close();
    delivery.close();
    shedding.close();
    await remotes.close();
    await measuring.close();
    await store.close();
    await tracing.close();
  };
  return { address: publicAddress, stop: () => (stopped ??= stop()) };
}

function storeSettings({ DATA_DIR, DATABASE_URL, SHUTDOWN_DELAY, SHUTDOWN_GRACE }: Settings, { failure, info }: Log) {
  const alone = { name: 'service', patience: (SHUTDOWN_DELAY + SHUTDOWN_GRACE) * 1000, waiting: info };
  return { dataDir: DATA_DIR, alone, log: failure, ...(DATABASE_URL !== undefined && { databaseUrl: DATABASE_URL.reveal() }) };
}
