import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { freePorts } from '@repoless/sandbox/addresses.ts';
import { PASSWORD, SERVICE_CLIENT } from '@repoless/sandbox/identity-provider/accounts.ts';
import { startIdentityProvider } from '@repoless/sandbox/identity-provider/start-identity-provider.ts';
import { startTestBackend } from '../support/backend.ts';
import type { TestBackend } from '../support/backend.ts';
import { createVisitor } from '../support/visitor.ts';
import type { Visited } from '../support/visitor.ts';

export interface SignedInService {
  readonly backend: TestBackend;
  /** Signs somebody in from a path of the service on, in a browser of their own. Out: the page that they come to. */
  signIn(path: string, email: string): Promise<Visited>;
  stop(): Promise<void>;
}

/** The whole service with the identity provider of the sandbox. */
export async function startSignedInService(settings: Readonly<Record<string, string>> = {}): Promise<SignedInService> {
  const dataDir = await mkdtemp(join(tmpdir(), 'repoless-provider-'));
  const { backend: port } = await freePorts();
  const provider = await startIdentityProvider({ port: 0, backend: `http://localhost:${port}`, console: 'http://localhost:1', dataDir });
  const { clientId, clientSecret } = SERVICE_CLIENT;
  const backend = await startTestBackend({
    settings: {
      PORT: String(port),
      PUBLIC_ADDRESS: `http://localhost:${port}`,
      IDP_NAME: 'sandbox',
      IDP_ISSUER: provider.address,
      IDP_CLIENT_ID: clientId,
      IDP_CLIENT_SECRET: clientSecret,
      ...settings,
    },
  });
  return {
    backend,
    async signIn(path, email) {
      const visitor = createVisitor();
      return await visitor.submit(await visitor.open(`${backend.address}${path}`), { email, password: PASSWORD });
    },
    async stop() {
      await backend.stop();
      await provider.stop();
      await rm(dataDir, { recursive: true });
    },
  };
}

/** Runs the script of a page, as a browser does, with what it finds there. */
export function runScript({ text }: Pick<Visited, 'text'>, globals: Readonly<Record<string, unknown>>): void {
  const [, script = ''] = /<script nonce="[^"]+">([^]*?)<\/script>/.exec(text) ?? [];
  runInNewContext(script, { ...globals });
}
