import { listen } from '@repoless/sandbox/web.ts';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

export interface TokenIssuer {
  readonly address: string;
  token(email: string, claims?: { audience?: string; expires?: string }): Promise<string>;
  stop(): Promise<void>;
}

/** The smallest identity provider: discovery, one key, tokens signed with it. */
export async function startTokenIssuer(): Promise<TokenIssuer> {
  const { publicKey, privateKey } = await generateKeyPair('RS256');
  const key = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' };
  const running = await listen(0, (request, response) => {
    const issuer = `http://${request.headers.host ?? ''}`;
    const body = request.url === '/keys' ? { keys: [key] } : { issuer, jwks_uri: `${issuer}/keys` };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  return {
    address: running.address,
    stop: () => running.stop(),
    token: (email, { audience = 'authoring', expires = '5m' } = {}) =>
      new SignJWT({ email })
        .setProtectedHeader({ alg: 'RS256', kid: 'one' })
        .setIssuer(running.address)
        .setSubject(email)
        .setAudience(audience)
        .setIssuedAt()
        .setExpirationTime(expires)
        .sign(privateKey),
  };
}
