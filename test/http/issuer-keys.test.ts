import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { writeFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { listen } from '@repoless/sandbox/web.ts';
import { buildBackend, startChildBackend, temporaryDirectory } from '../support/child-backend.ts';
import { startSecureHost } from '../support/secure-host.ts';

it('the keys of an HTTPS issuer are not read by HTTP, and the reason is logged', async () => {
  await buildBackend();
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const keys = [{ ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256' }];
  let requests = 0;
  const plain = await listen(0, (_, response) => {
    requests += 1;
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ keys }));
  });
  let keysAt = `${plain.address}/keys`;
  const answer: RequestListener = ({ url }, response) =>
    void response.end(JSON.stringify(url === '/keys' ? { keys } : { issuer, jwks_uri: keysAt }));
  const secure = await startSecureHost(['localhost'], 2, answer);
  const issuer = `https://localhost:${secure.port}`;
  const data = await temporaryDirectory();
  const [trusted, ca] = [JSON.stringify([{ issuer, audience: 'authoring' }]), join(data.path, 'issuer.pem')];
  await writeFile(ca, secure.certificate);
  const start = () => startChildBackend(data.path, { INTERNAL_ADDRESSES: 'allow', TRUSTED_ISSUERS: trusted, NODE_EXTRA_CA_CERTS: ca });
  let service = await start();
  onTestFinished(async () => {
    service.child.kill();
    await service.ended;
    await Promise.all([plain.stop(), secure.stop()]);
    await data.remove();
  });

  const exchange = async () => {
    const claims = new SignJWT({ email: 'a@example.com', iss: issuer, aud: 'authoring' });
    const token = await claims.setProtectedHeader({ alg: 'ES256', kid: 'one' }).setExpirationTime('5m').sign(privateKey);
    const headers = { 'content-type': 'application/json' };
    return (await fetch(`${service.address}/auth/exchange`, { method: 'POST', headers, body: JSON.stringify({ token }) })).status;
  };
  expect(await exchange()).toBe(503);
  expect(requests).toBe(0);
  await expect.poll(() => service.output()).toContain(`The issuer ${issuer} names an address for its keys that is not HTTPS`);

  service.child.kill();
  await service.ended;
  keysAt = `${issuer}/keys`;
  service = await start();
  expect(await exchange()).toBe(200);
});
