import { createHash, randomBytes } from 'node:crypto';
import { AUTHORING_RESOURCE, CONSOLE_CLIENT_ID, PASSWORD, TECHNICAL_ACCOUNTS } from '@repoless/sandbox/identity-provider/accounts.ts';
import { createVisitor } from './visitor.ts';

export interface ProviderAddresses {
  /** The identity provider. */
  readonly address: string;
  /** The address of the console, its client; nothing has to run there. */
  readonly console: string;
}

/** Signs an account in as the console does, only by HTTP. Returns its token for the authoring system. */
export async function signInAt(provider: ProviderAddresses, account: string): Promise<string> {
  const verifier = randomBytes(32).toString('base64url');
  const authorization = new URL('/auth', provider.address);
  authorization.search = new URLSearchParams({
    response_type: 'code',
    client_id: CONSOLE_CLIENT_ID,
    redirect_uri: `${provider.console}/`,
    scope: 'openid email profile',
    resource: AUTHORING_RESOURCE,
    state: 'state',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  }).toString();
  const visitor = createVisitor();
  const page = await visitor.open(authorization.href);
  const back = await visitor.submit(page, { email: account, password: PASSWORD }, { stopBefore: provider.console });
  return await tokenOf(provider.address, {
    grant_type: 'authorization_code',
    client_id: CONSOLE_CLIENT_ID,
    redirect_uri: `${provider.console}/`,
    code: new URL(back.address).searchParams.get('code') ?? '',
    code_verifier: verifier,
  });
}

/** The token of a technical account with this e-mail address, by client credentials. */
export async function technicalTokenAt(provider: Pick<ProviderAddresses, 'address'>, email: string): Promise<string> {
  const account = TECHNICAL_ACCOUNTS.find((one) => one.email === email);
  if (account === undefined) throw new Error(`${email} is not a technical account of the sandbox.`);
  const credentials = `${account.clientId}:${account.clientSecret}`;
  const headers = { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
  return await tokenOf(provider.address, { grant_type: 'client_credentials', scope: 'authoring' }, headers);
}

async function tokenOf(address: string, form: Record<string, string>, headers: Record<string, string> = {}): Promise<string> {
  const answer = await fetch(`${address}/token`, { method: 'POST', headers, body: new URLSearchParams(form) });
  const body: unknown = await answer.json();
  if (typeof body === 'object' && body !== null && 'access_token' in body && typeof body.access_token === 'string')
    return body.access_token;
  throw new Error(`The identity provider issued no token: ${answer.status} ${JSON.stringify(body)}`);
}
