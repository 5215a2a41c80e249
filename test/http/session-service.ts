import { authoringEndpoints } from '@repoless/contract/authoring.ts';
import { sessionEndpoints } from '@repoless/contract/session.ts';
import { AUTHORING_RESOURCE, PROVIDER_NAME, SERVICE_CLIENT } from '@repoless/sandbox/identity-provider/accounts.ts';
import { authorize } from '@repoless/service/access/permit.ts';
import { composeSiteYaml } from '@repoless/service/composition/site-yaml.ts';
import { openSigningKeys } from '@repoless/service/db/key-files.ts';
import { openSqlite } from '@repoless/service/db/sqlite/open-sqlite.ts';
import type { Caller, Context } from '@repoless/service/domain/context.ts';
import type { Store } from '@repoless/service/domain/ports.ts';
import { proxyOperations } from '@repoless/service/http/authoring-proxy.ts';
import { authenticate, clientAddress, createRateLimit } from '@repoless/service/http/caller.ts';
import { listedOrigins } from '@repoless/service/http/every-answer.ts';
import { fillHttpApp } from '@repoless/service/http/http-app.ts';
import { bindCall } from '@repoless/service/http/parse-request.ts';
import { requestTraces } from '@repoless/service/http/request-log.ts';
import { sessionOperations } from '@repoless/service/http/session/session-operations.ts';
import { createAuthors } from '@repoless/service/remote/authors.ts';
import { createCodeHost } from '@repoless/service/remote/code-host.ts';
import { createIdentityProvider } from '@repoless/service/remote/identity-provider.ts';
import { createRemote } from '@repoless/service/remote/remote.ts';
import { createTrustedIssuers, type TrustedIssuer } from '@repoless/service/remote/trusted-issuers.ts';
import { newSecretKeys, readSecretBox } from '@repoless/service/secrets/secret-box.ts';
import { createTokens, type Tokens } from '@repoless/service/sessions/tokens.ts';
import { NO_TRACING } from '@repoless/service/tracing/tracing.ts';
import express from 'express';
import { randomUUID } from 'node:crypto';
import { lookup } from 'node:dns';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { everyRepository } from '../support/code-sources.ts';
import { startIdentityProvider } from '@repoless/sandbox/identity-provider/start-identity-provider.ts';
import type { Running } from '@repoless/sandbox/web.ts';

/** The ID of a browser extension that may receive sign-ins. */
export const EXTENSION_ID = 'abcdefghijklmnopabcdefghijklmnop';
export const EXTENSION_ORIGIN = 'http://extension.example.com';
export const LIFETIME = 3600;

export interface SessionServiceOptions {
  /** The sandbox's, or another by its address. */
  readonly identityProvider?: 'sandbox' | (() => Promise<string>);
  trusted?(issuer: string): readonly TrustedIssuer[];
  /** E-mail domains accepted from the identity provider. */
  readonly domains?: readonly string[];
  readonly authorHosts?: readonly string[];
  readonly internalAddresses?: 'allow' | 'refuse';
  readonly authorTimeout?: number;
  readonly authorSizeLimit?: number;
  readonly trustedProxies?: readonly string[];
}

export interface SessionService {
  readonly address: string;
  /** The sandbox's, if the options select it. */
  readonly provider: Running;
  /** Restarts the provider if it was stopped. */
  restartProvider(): Promise<void>;
  readonly dataDir: string;
  readonly tokens: Tokens;
  readonly store: Store;
  /** The file of the store. */
  readonly database: string;
  /** The lines of the log. */
  readonly logged: readonly string[];
  /** Advances the service's clock. */
  pass(seconds: number): void;
  token(email: string): Promise<string>;
  stop(): Promise<void>;
}

/** The service with its sign-in and its authoring proxy on a real store. */
export async function startSessionService(options: SessionServiceOptions = {}): Promise<SessionService> {
  const dataDir = await mkdtemp(join(tmpdir(), 'repoless-session-'));
  let answer: RequestListener = (_request, response) => void response.writeHead(503).end();
  const server = createServer((request, response) => answer(request, response));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = `http://localhost:${(server.address() as AddressInfo).port}`;
  const { identityProvider } = options;
  const startProvider = (port: number) => startIdentityProvider({ port, backend: address, console: 'http://localhost:1', dataDir });
  let provider = identityProvider === 'sandbox' ? await startProvider(0) : undefined;
  const issuer = provider?.address ?? (typeof identityProvider === 'function' ? await identityProvider() : 'http://localhost:1');

  let ahead = 0;
  const now = () => new Date(Date.now() + ahead);
  const logged: string[] = [];
  const store = await openSqlite({ dataDir });
  const keys = await openSigningKeys(join(dataDir, 'signing-key.json'));
  const tokens = createTokens({ keys, issuer: address, lifetime: LIFETIME, store, now });
  const remote = createRemote({
    internalAddresses: options.internalAddresses ?? 'allow',
    resolve: lookup,
    timeout: 5000,
    sizeLimit: 1_000_000,
  });
  const limits = { timeout: options.authorTimeout ?? 5000, sizeLimit: options.authorSizeLimit ?? 1_000_000 };
  const codeHost = createCodeHost(remote, { api: 'http://localhost:1', raw: 'http://localhost:1' });
  const box = readSecretBox(newSecretKeys());
  const sessions = sessionOperations({
    tokens,
    identityProvider: createIdentityProvider(remote, {
      issuer,
      ...SERVICE_CLIENT,
      authoringResource: AUTHORING_RESOURCE,
      ...(options.domains !== undefined && { domains: options.domains }),
    }),
    trustedIssuers: createTrustedIssuers(remote, options.trusted?.(issuer) ?? [{ issuer, audience: 'authoring' }], now),
    box,
    idpName: PROVIDER_NAME,
    publicAddress: address,
    allowedOrigins: [EXTENSION_ORIGIN],
    extensionIds: [EXTENSION_ID],
  });
  const proxy = proxyOperations({ authors: createAuthors(remote, limits), authorHosts: options.authorHosts ?? [] });
  const addressOf = clientAddress(options.trustedProxies ?? []);
  const context = (caller: Caller, requestId: string, address: string): Context => ({
    caller,
    requestId,
    address,
    store,
    codeHost,
    codeSources: everyRepository,
    siteYamlProblem: composeSiteYaml(),
    box,
    settings: {
      hosts: { protocol: 'http', preview: 'preview.localhost', live: 'live.localhost' },
      operators: [],
      codeHost: 'http://localhost:1',
      versionsKept: 1000,
      quotas: { syncs: 2 },
    },
    now,
    newId: randomUUID,
  });
  const app = express();
  fillHttpApp(app, {
    title: 'The service',
    calls: [
      bindCall(sessionEndpoints.login, sessions.login),
      bindCall(sessionEndpoints.loginSite, sessions.loginSite),
      bindCall(sessionEndpoints.acknowledge, sessions.acknowledge),
      bindCall(sessionEndpoints.profile, sessions.profile),
      bindCall(sessionEndpoints.logout, sessions.logout),
      bindCall(sessionEndpoints.endSessions, sessions.endSessions),
      bindCall(sessionEndpoints.keys, sessions.keys),
      bindCall(sessionEndpoints.exchangeToken, sessions.exchangeToken),
      bindCall(sessionEndpoints.authorizeDevice, sessions.authorizeDevice),
      bindCall(sessionEndpoints.deviceToken, sessions.deviceToken),
      bindCall(sessionEndpoints.devicePage, sessions.devicePage),
      bindCall(sessionEndpoints.approveDevice, sessions.approveDevice),
      bindCall(authoringEndpoints.readAuthoring, proxy.readAuthoring),
      bindCall(authoringEndpoints.writeAuthoring, proxy.writeAuthoring),
    ],
    guards: {
      authenticate: (headers) => authenticate(tokens, headers),
      authorize,
      rateLimit: createRateLimit({ rate: 0, burst: 0 }, addressOf, now),
      clientAddress: addressOf,
      bodyLimit: 100_000,
      traces: requestTraces(NO_TRACING, address, []),
      ownOrigin: address,
      context,
    },
    allowsOrigin: listedOrigins([EXTENSION_ORIGIN]),
    log: {
      request: (line) => void logged.push(JSON.stringify(line)),
      failure: (requestId, error) =>
        void logged.push(`${requestId} ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`),
    },
    newId: randomUUID,
    isStopping: () => false,
  });
  answer = app;

  return {
    address,
    get provider() {
      if (provider === undefined) throw new Error('This service has no identity provider of the sandbox.');
      return provider;
    },
    async restartProvider() {
      provider = await startProvider(Number(new URL(issuer).port));
    },
    dataDir,
    tokens,
    store,
    database: join(dataDir, 'repoless.sqlite'),
    logged,
    pass: (seconds) => void (ahead += seconds * 1000),
    token: async (email) => (await tokens.issue({ email })).token,
    async stop() {
      await provider?.stop();
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
      await remote.close();
      await store.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
