import { randomUUID } from 'node:crypto';
import { authorize, isListedMember } from './access/permit.ts';
import { composeAssistant } from './composition/assistant.ts';
import { composeCode } from './composition/code.ts';
import { serviceFigures } from './composition/figures.ts';
import { composeOperations, composePages, composeChecks, composeEventDelivery } from './composition/operations.ts';
import { type Opening, openFront } from './composition/front.ts';
import { composeSiteYaml } from './composition/site-yaml.ts';
import { hostedServiceOf, operatorsOf, quotasOf, type Settings } from './config.ts';
import { openSecretBox, openSigningKeys } from './db/key-files.ts';
import { openStore } from './db/open-store.ts';
import { createDelivery } from './delivery/deliver.ts';
import type { Context } from './domain/context.ts';
import type { Store } from './domain/ports.ts';
import { authenticator } from './http/caller.ts';
import { fillHttpApp } from './http/http-app.ts';
import { tableCalls } from './http/table-operations.ts';
import { createLog, type Log } from './log.ts';
import { rateLimitedCodeHost } from './orgs/claim-org.ts';
import { codeHostSource, type CodeHostSource, createCodeHost } from './remote/code-host.ts';
import { createCodeSources } from './remote/code-sources.ts';
import { type Resolve, createCertificateReader } from './remote/guarded-lookup.ts';
import { startRollouts } from './rollouts/start-rollouts.ts';
import { traceProgram } from './run-program.ts';
import type { SecretBox } from './secrets/secret-box.ts';
import { createSecretHashCache } from './secrets/secret-hash-cache.ts';
import { createApiKeyCache, createTokens } from './sessions/tokens.ts';

export interface Backend {
  readonly address: string;
  stop(): Promise<void>;
}

/** What tests may replace. */
export interface Overrides {
  readonly store?: Store;
  readonly log?: Log;
  readonly codeHost?: CodeHostSource;
  readonly resolve?: Resolve;
  now?(): Date;
}

/** Starts the whole backend; resolves when it responds. Rejects with a message, and leaves nothing open. */
export async function startBackend(settings: Settings, overrides: Overrides = {}): Promise<Backend> {
  const { tracing, log } = await traceProgram(settings, overrides.log ?? createLog(settings.LOG_LEVEL));
  const now = overrides.now ?? (() => new Date());
  const closing: (() => unknown)[] = [() => tracing.close()];
  try {
    const hosted = hostedServiceOf(settings);
    // Before the database, so that a full disk leaves nothing behind.
    const box = await openSecretBox(settings.SECRET_KEY_FILE);
    const store = overrides.store ?? (await openStore({ ...storeSettings(settings, log), tracing }));
    closing.push(() => store.close());
    const opening = { log, tracing, now, store, box, closing, resolve: overrides.resolve };
    if (hosted === undefined) return await serve(settings, { ...opening, codeHostOverride: overrides.codeHost });
    return await (await import('./hosted/serve-hosted.ts')).serveHosted(settings, hosted, opening);
  } catch (error) {
    for (const close of closing.toReversed()) await close();
    throw error;
  }
}

interface Parts extends Opening {
  readonly store: Store;
  readonly box: SecretBox;
  readonly codeHostOverride: CodeHostSource | undefined;
}

async function serve(settings: Settings, { tracing, now, store, box, closing, codeHostOverride, ...opening }: Parts): Promise<Backend> {
  const front = await openFront(settings, { ...opening, tracing, now, closing });
  const { server, log, publicAddress, hosts, shedding } = front;
  const { CODE_HOST, CODE_HOST_API, CODE_HOST_RAW, INTERNAL_ADDRESSES: internalAddresses } = settings;
  const { lookups, tenants: remote, partners, own } = front.remotes;
  const { sync, firstSyncs } = await composeCode(settings, { store, box, remote, own, lookup: lookups.tenants, log, tracing, now });
  closing.push(() => sync.close());
  const apiKeys = createApiKeyCache({ store, now });
  const keys = await openSigningKeys(settings.SIGNING_KEY_FILE);
  const tokens = createTokens({ keys, issuer: publicAddress, lifetime: settings.TOKEN_LIFETIME, store, apiKeys, now });
  const codeHost = rateLimitedCodeHost(createCodeHost(partners, { api: CODE_HOST_API, raw: CODE_HOST_RAW }), now);
  const codeSources = createCodeSources({
    codeHost: codeHostOverride ?? codeHostSource(partners, { host: CODE_HOST, raw: CODE_HOST_RAW }),
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
    branchProbe: sync.probe,
    readCertificate: createCertificateReader(internalAddresses, lookups.tenants),
    now,
    failed: log.failure,
  });
  closing.push(() => checks.close());
  const eventDelivery = await composeEventDelivery(settings, { store, remote, box, publicAddress, log, now });
  closing.push(() => eventDelivery.close());
  const pages = composePages(settings, remote);
  const domain = {
    hosts,
    operators: operatorsOf(settings),
    codeHost: CODE_HOST,
    versionsKept: settings.VERSIONS_KEPT,
    quotas: quotasOf(settings),
  };
  const siteYamlProblem = composeSiteYaml();
  const services = { store, codeHost, codeSources, siteYamlProblem, settings: domain, box, firstSyncs, now, newId: randomUUID };
  const rollouts = startRollouts({
    store,
    check: checks.checkSite,
    tracing,
    context: (caller, requestId) => ({ ...services, caller, requestId, address: '' }),
    now,
    failed: log.failure,
  });
  closing.push(() => rollouts.close());
  const assistant = composeAssistant<Context>(settings, {
    publicAddress,
    isSiteHost: front.isSiteHost,
    port: server.port,
    box,
    partners,
    log,
    tracing,
    isMember: isListedMember,
  });
  closing.push(() => assistant.close());
  fillHttpApp(front.app, {
    ...front.answering,
    calls: tableCalls(
      composeOperations(settings, {
        front,
        tokens,
        sync,
        box,
        pages,
        checks: { start: (...args) => tracing.detached(() => checks.start(...args)) },
        assistant,
        wakeEventDelivery: () => tracing.detached(eventDelivery.wake),
        wakeRollouts: rollouts.wake,
        now,
      }),
    ),
    guards: { ...front.guards, authenticate: authenticator(tokens), authorize, services },
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
    pages,
    guard: { tokens, secrets: createSecretHashCache({ store, now }) },
    isServiceHost: front.isServiceHost,
    isStopping: server.isStopping,
    failed,
    clientAddress: front.clientAddress,
    refused: (line) => log.request({ requestId: randomUUID(), ...line }),
  });
  closing.push(() => delivery.close());
  front.measuring.add(serviceFigures({ store, delivery, isOverloaded: shedding.isOverloaded, now }));
  server.open(shedding.refuse, delivery.deliver);

  let stopped: Promise<void> | undefined;
  const stop = async () => {
    sync.quiet();
    await front.stop();
    await rollouts.close();
    await checks.close();
    assistant.close();
    await sync.close();
    await eventDelivery.close();
    delivery.close();
    await front.close();
    await store.close();
    await tracing.close();
  };
  return { address: publicAddress, stop: () => (stopped ??= stop()) };
}

function storeSettings({ DATA_DIR, DATABASE_URL, SHUTDOWN_DELAY, SHUTDOWN_GRACE }: Settings, { failure, info }: Log) {
  const exclusive = { name: 'service', maxWait: (SHUTDOWN_DELAY + SHUTDOWN_GRACE) * 1000, onWaiting: info };
  return { dataDir: DATA_DIR, exclusive, log: failure, ...(DATABASE_URL !== undefined && { databaseUrl: DATABASE_URL.reveal() }) };
}
