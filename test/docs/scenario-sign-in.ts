import { DEVICE_GRANT, DeviceAuthorization } from '@repoless/contract/session.ts';
import { OPERATOR } from '@repoless/sandbox/backend-process.ts';
import { PASSWORD } from '@repoless/sandbox/identity-provider/accounts.ts';
import { createVisitor } from '../support/visitor.ts';
import { example, type Step } from './step.ts';

const DEVICE = { grant_type: DEVICE_GRANT, device_code: '$DEVICE_CODE' };

/** Signing in as a script does; steps that need a browser show the answer that a script gets. */
export const SIGN_IN_EXAMPLES: readonly Step[] = [
  example('login', { title: 'A browser is sent to the identity provider.', headers: { accept: 'text/html' } }),
  example('login', { title: 'A script gets the address of the sign-in.' }),
  example('loginSite'),
  example('acknowledge', { title: 'Without a sign-in that was started here.', params: { idp: 'sandbox' }, status: 401 }),
  example('profile', { token: 'TOKEN' }),
  example('profile', { title: 'Without a token.', status: 401 }),
  example('keys'),
  example('exchangeToken', { body: { token: '$AUTHORING_TOKEN' }, keep: { SECOND_TOKEN: 'token' } }),
  example('exchangeToken', { title: 'A token that is not trusted.', status: 401 }),
  example('authorizeDevice', { keep: { DEVICE_CODE: 'device_code' } }),
  example('deviceToken', {
    title: 'Until the user has allowed it.',
    body: DEVICE,
    status: 400,
  }),
  deviceAllowed,
  example('deviceToken', { title: 'Once it is allowed.', body: DEVICE }),
  example('devicePage', { headers: { accept: 'text/html' } }),
  example('approveDevice', { title: 'Only what the page has shown to its reader is taken.', status: 401 }),
  example('endSessions', { token: 'TOKEN' }),
  example('logout', { token: 'SECOND_TOKEN' }),
];

/** Authorizes a new device in the browser: polling the same one again at once would be refused. */
async function deviceAllowed({ API = '' }: Readonly<Record<string, string>>): Promise<Record<string, string>> {
  const answer = await fetch(`${API}/auth/device`, { method: 'POST', body: new URLSearchParams({ client_id: 'nightly-build' }) });
  const started = DeviceAuthorization.parse(await answer.json());
  const visitor = createVisitor();
  await visitor.submit(await visitor.open(`${API}/login`), { email: OPERATOR, password: PASSWORD });
  await visitor.submit(await visitor.open(started.verification_uri_complete), { decision: 'allow' });
  return { DEVICE_CODE: started.device_code };
}
