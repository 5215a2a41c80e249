import { freePorts } from '@repoless/sandbox/addresses.ts';
import { AUTHORING_RESOURCE, PASSWORD, PROVIDER_NAME, SERVICE_CLIENT } from '@repoless/sandbox/identity-provider/accounts.ts';
import { startIdentityProvider } from '@repoless/sandbox/identity-provider/start-identity-provider.ts';
import type { Running } from '@repoless/sandbox/web.ts';
import { openSigningKeys } from '@repoless/service/db/key-files.ts';
import type { TrustedIssuer } from '@repoless/service/remote/trusted-issuers.ts';
import { createTokens } from '@repoless/service/sessions/tokens.ts';
import { join } from 'node:path';
import { startTestBackend, type TestBackend } from '../support/backend.ts';
import { temporaryDirectory } from '../support/child-backend.ts';
import { createVisitor, type Visited } from '../support/visitor.ts';

/** The ID of a browser extension that may receive sign-ins. */
export const EXTENSION_ID = 'abcdefghijklmnopabcdefghijklmnop';
export const LIFETIME = 3600;

interface SessionServiceOptions {
  /** The sandbox's, or another by its address. */
  readonly identityProvider?: string;
  /** By default the identity provider for the audience `authoring`. */
  trusted?(issuer: string): readonly TrustedIssuer[];
  readonly claim?: boolean;
  readonly settings?: Readonly<Record<string, string>>;
}

export interface SessionService {
  readonly address: string;
  readonly backend: TestBackend;
  /** The sandbox's, if the options select it. */
  readonly provider: Running;
  /** Where that provider keeps its keys. */
  readonly providerDir: string;
  /** Restarts the provider if it was stopped. */
  restartProvider(): Promise<void>;
  /** The file of the store. */
  readonly database: string;
  /** The lines of the log. */
  readonly logged: readonly string[];
  /** Advances the service's clock. */
  pass(seconds: number): void;
  /** A token of the service, issued by its clock. */
  token(email: string): Promise<string>;
  /** Signs a person in from a path of the service, in a new browser. Returns the page they reach. */
  signIn(path: string, email: string): Promise<Visited>;
  stop(): Promise<void>;
}

/** Starts the service with an identity provider. */
export async function startSessionService(options: SessionServiceOptions = {}): Promise<SessionService> {
  const { backend: port } = await freePorts();
  const address = `http://localhost:${port}`;
  const folder = await temporaryDirectory();
  const { identityProvider = 'http://localhost:1', trusted = (issuer) => [{ issuer, audience: 'authoring' }] } = options;
  const startProvider = (at: number) =>
    startIdentityProvider({ port: at, backend: address, console: 'http://localhost:1', dataDir: folder.path });
  let provider = identityProvider === 'sandbox' ? await startProvider(0) : undefined;
  const issuer = provider?.address ?? identityProvider;
  let ahead = 0;
  const now = () => new Date(Date.now() + ahead);
  const logged: string[] = [];
  const backend = await startTestBackend({
    claim: options.claim ?? false,
    dryRun: false,
    now,
    logged: (line) => logged.push(line),
    settings: {
      PORT: String(port),
      PUBLIC_ADDRESS: address,
      TOKEN_LIFETIME: String(LIFETIME),
      IDP_NAME: PROVIDER_NAME,
      IDP_ISSUER: issuer,
      IDP_CLIENT_ID: SERVICE_CLIENT.clientId,
      IDP_CLIENT_SECRET: SERVICE_CLIENT.clientSecret,
      IDP_AUTHORING_AUDIENCE: AUTHORING_RESOURCE,
      TRUSTED_ISSUERS: JSON.stringify(trusted(issuer)),
      EXTENSION_IDS: EXTENSION_ID,
      ...options.settings,
    },
  });
  const keys = await openSigningKeys(join(backend.dataDir, 'signing-keys.json'));
  const tokens = createTokens({ keys, issuer: address, lifetime: LIFETIME, store: backend.store, now });
  return {
    address,
    backend,
    get provider() {
      if (provider === undefined) throw new Error('This service has no identity provider of the sandbox.');
      return provider;
    },
    providerDir: folder.path,
    async restartProvider() {
      provider = await startProvider(Number(new URL(issuer).port));
    },
    database: join(backend.dataDir, 'repoless.sqlite'),
    logged,
    pass: (seconds) => void (ahead += seconds * 1000),
    token: async (email) => (await tokens.issue({ email })).token,
    async signIn(path, email) {
      const visitor = createVisitor();
      return await visitor.submit(await visitor.open(`${address}${path}`), { email, password: PASSWORD });
    },
    async stop() {
      await backend.stop();
      await provider?.stop();
      await folder.remove();
    },
  };
}
