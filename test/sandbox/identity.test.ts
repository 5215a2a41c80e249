import { addressesOf, freePorts, type Ports } from '@repoless/sandbox/addresses.ts';
import { startAuthoringSystem } from '@repoless/sandbox/authoring-system/start-authoring-system.ts';
import { AUTHORING_RESOURCE, TECHNICAL_ACCOUNTS } from '@repoless/sandbox/identity-provider/accounts.ts';
import { startIdentityProvider } from '@repoless/sandbox/identity-provider/start-identity-provider.ts';
import { authoringTokenOf } from '@repoless/sandbox/sign-in-as.ts';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { send } from './author.ts';
import { startBeforeAll } from '../support/start-before-all.ts';
import { temporaryDirectory } from '../support/child-backend.ts';

describe("the authoring system with the sandbox's own identity provider", () => {
  let ports: Ports;
  let addresses: ReturnType<typeof addressesOf>;

  const dataDir = startBeforeAll(temporaryDirectory);
  beforeAll(async () => {
    ports = await freePorts();
    addresses = addressesOf(ports);
  });
  const identity = startBeforeAll(() =>
    startIdentityProvider({ ...addresses, port: ports.identity, dataDir: join(dataDir.path, 'identity') }),
  );
  startBeforeAll(() =>
    startAuthoringSystem({ port: ports.authoring, dataDir: join(dataDir.path, 'authoring'), identityProvider: identity.address }),
  );

  const status = async (path: string, token: string) =>
    (await send(ports.authoring, 'GET', path, { host: new URL(addresses.author).host, authorization: `Bearer ${token}` })).status;

  it.each([
    ['ada.admin@example.com', 200],
    ['nora.neighbour@example.com', 200],
    ['sam.stranger@example.com', 403],
  ])('knows %s after signing in there', async (email, expected) => {
    expect(await status('/content/summit.json', await authoringTokenOf(email, addresses))).toBe(expected);
  });

  it('returns a closed page only to the technical account of its environment', async () => {
    const answers = await Promise.all(
      TECHNICAL_ACCOUNTS.map(async (account) =>
        status('/bin/franklin.delivery/wknd/quarry/main/content/quarry.html', await technicalToken(addresses.identity, account)),
      ),
    );
    expect(answers).toEqual([200, 403]);
  });
});

async function technicalToken(issuer: string, account: { clientId: string; clientSecret: string }): Promise<string> {
  const { token_endpoint } = z
    .object({ token_endpoint: z.url() })
    .parse(await (await fetch(`${issuer}/.well-known/openid-configuration`)).json());
  const answer = await fetch(token_endpoint, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${account.clientId}:${account.clientSecret}`).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', resource: AUTHORING_RESOURCE }),
  });
  return z.object({ access_token: z.string() }).parse(await answer.json()).access_token;
}
