import { assistantEndpoints } from '@repoless/contract/assistant.ts';
import { authoringEndpoints } from '@repoless/contract/authoring.ts';
import { allEndpoints } from '@repoless/contract/endpoints.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import { operatorEndpoints, type ServiceState } from '@repoless/contract/operator.ts';
import { serviceEndpoints } from '@repoless/contract/service.ts';
import { sessionEndpoints } from '@repoless/contract/session.ts';
import { OPERATIONS } from '@repoless/upstream/operations.ts';
import type { Assistant } from '../composition/assistant.ts';
import type { Front } from '../composition/front.ts';
import { composeProxy } from '../composition/operations.ts';
import { serviceInfo, type Settings } from '../config.ts';
import type { Store } from '../domain/ports.ts';
import { presentedToken } from '../http/caller.ts';
import { bindCall, type Call, type RequestHeaders } from '../http/parse-request.ts';
import { describedCalls } from '../http/openapi.ts';
import { serviceOperations } from '../http/service-operations.ts';
import type { HostedCallers } from './callers.ts';
import type { HostedService } from '@repoless/upstream/hosted.ts';
import type { HttpOperation, Reply } from '../http/answer.ts';
import { operatorOperations } from '../http/operator-operations.ts';
import { html, pageOutcome } from '../http/session/page.ts';
import { getProgramState, type ProgramFacts } from '../operators/get-service-state.ts';
import type { HostedWatch } from './watch.ts';
import type { RunningRollouts } from '@repoless/upstream/rollout-document.ts';
import type { Caller } from '../sessions/identity.ts';

/** The context of calls of a service in front of the hosted one. */
export interface HostedContext {
  readonly caller: Caller;
  readonly requestId: string;
  /** The client's network. */
  readonly address: string;
  readonly store: Pick<Store, 'ping' | 'shortLived' | 'overview'>;
  now(): Date;
  /** An unguessable identifier. */
  newId(): string;
}

/** The calls that this service answers itself. */
export const OWN_CALLS = [
  'getService',
  'getLive',
  'getReady',
  'getHealth',
  'getOpenApi',
  'getOpenApiAliases',
  'getOpenApiDryRun',
  'readAuthoring',
  'writeAuthoring',
  'profile',
  'exchangeToken',
  'serveAssistant',
  'operatorPage',
  'getServiceState',
] as const;
type OwnCalls = Readonly<Record<(typeof OWN_CALLS)[number], Call<HostedContext>>>;

interface OwnParts {
  readonly callers: HostedCallers;
  readonly assistant: Assistant<HostedContext>;
  readonly operators: ReturnType<typeof hostedOperatorOperations>;
}

export function signInAddress(service: string): string {
  return `${service}/login`;
}

export function ownCalls(settings: Settings, front: Front, { callers, assistant, operators }: OwnParts): OwnCalls {
  const info = serviceInfo(settings, front.hosts);
  const offered = describedCalls(() => allEndpoints().filter(([id]) => id in OPERATIONS || OWN_CALLS.some((own) => own === id)));
  const service = serviceOperations(info, front.publicAddress, front.state, offered);
  const { readAuthoring, writeAuthoring } = composeProxy(settings, front.remotes.tenants, front.hosts);
  return {
    getService: bindCall(serviceEndpoints.getService, service.getService),
    getLive: bindCall(serviceEndpoints.getLive, service.getLive),
    getReady: bindCall(serviceEndpoints.getReady, service.getReady),
    getHealth: bindCall(serviceEndpoints.getHealth, service.getHealth),
    getOpenApi: bindCall(serviceEndpoints.getOpenApi, service.getOpenApi),
    getOpenApiAliases: bindCall(serviceEndpoints.getOpenApiAliases, service.getOpenApiAliases),
    getOpenApiDryRun: bindCall(serviceEndpoints.getOpenApiDryRun, service.getOpenApiDryRun),
    readAuthoring: bindCall(authoringEndpoints.readAuthoring, readAuthoring),
    writeAuthoring: bindCall(authoringEndpoints.writeAuthoring, writeAuthoring),
    profile: bindCall<typeof sessionEndpoints.profile, HostedContext>(sessionEndpoints.profile, async ({ address }, { headers }) => {
      const token = tokenIn(headers);
      const profile = token === undefined ? undefined : await callers.profile(token, address);
      if (profile !== undefined) return { status: 200, body: { status: 200, profile, links: {} } };
      const errorHeaders = { 'x-error': 'not authenticated.', 'x-error-code': 'NOT_AUTHENTICATED' };
      const links = { login: signInAddress(info.hosted ?? '') };
      return { status: 401, body: { status: 401, error: 'unauthorized', links }, headers: errorHeaders };
    }),
    operatorPage: bindCall(operatorEndpoints.operatorPage, operators.operatorPage),
    getServiceState: bindCall(operatorEndpoints.getServiceState, operators.getServiceState),
    serveAssistant: bindCall(assistantEndpoints.serveAssistant, assistant.serveAssistant),
    // The session is the token itself, whether it is the authoring system's, one of the hosted service, or an API key: none is issued or
    // stored here.
    exchangeToken: bindCall<typeof sessionEndpoints.exchangeToken, HostedContext>(
      sessionEndpoints.exchangeToken,
      async ({ address }, { body: { token } }) => {
        const profile = await callers.profile(token, address);
        if (profile === undefined) throw notTaken(info.hosted ?? '');
        return { status: 200, body: { token, exp: profile.exp }, user: profile.email };
      },
    ),
  };
}

function notTaken(hosted: string): Refusal {
  return new Refusal('TOKEN_REFUSED', 'The hosted service does not accept this token.', {
    detail: `The hosted service at ${hosted} does not accept this token. Paste a token of the hosted service, or an API key.`,
  });
}

/** Cookies are not a credential here: this service sets none. */
export function tokenIn(headers: RequestHeaders): string | undefined {
  const presented = presentedToken(headers);
  return presented?.credential === 'header' ? presented.token : undefined;
}

type Rows = typeof operatorEndpoints;

interface OperatorParts {
  readonly hosted: Pick<HostedService, 'service'>;
  readonly program: ProgramFacts;
  readonly publicAddress: string;
  readonly operators: readonly string[];
  readonly watch: Pick<HostedWatch, 'state'>;
  readonly rollouts: RunningRollouts;
}

/** Calls for operators of a service in front of the hosted one: what this program does, and how the hosted service responds. */
export function hostedOperatorOperations({ hosted, program, publicAddress, operators, watch, rollouts }: OperatorParts): {
  readonly [Id in keyof Rows]: HttpOperation<Rows[Id], HostedContext>;
} {
  const state = async (context: HostedContext): Promise<ServiceState> => ({
    ...(await getProgramState(context, program)),
    jobs: { states: [], failed: 0, oldest: [] },
    queues: { rollouts: { waiting: rollouts.size } },
    quotas: [],
    hosted: { address: hosted.service, ...watch.state() },
  });
  return operatorOperations<HostedContext>({ publicAddress, operators, state, unknown: (context) => tokenPage(context, publicAddress) });
}

/** This service sets no cookie, so a browser has no credential: the page asks for a token, which stays in it. */
function tokenPage(context: HostedContext, publicAddress: string): Reply {
  const main = html`<p>
      This page is for the operators of the service. It asks with your token of the hosted service, and keeps it until you close it.
    </p>
    <form>
      <label for="token">Token</label>
      <input id="token" type="password" autocomplete="off" spellcheck="false" required />
      <p class="actions"><button>Show the state of the service</button></p>
      <p role="status" id="said"></p>
    </form>`;
  const page = { title: 'State of the service', main, script: SHOW, connectsTo: `${publicAddress}/admin` };
  return pageOutcome(context, page, 401, { 'x-error': 'not authenticated', 'x-error-code': 'NOT_AUTHENTICATED' });
}

const SHOW = `
async function show(token) {
  const answer = await fetch('/admin', { headers: { accept: 'text/html', 'x-auth-token': token }, cache: 'no-store' });
  const isPage = (answer.headers.get('content-type') || '').startsWith('text/html');
  if (answer.status === 401 || !isPage) {
    document.getElementById('said').textContent =
      answer.status === 401 ? 'The hosted service does not accept this token.' : answer.headers.get('x-error') || 'The service does not respond.';
    return;
  }
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  document.title = page.title;
  document.querySelector('main').replaceWith(document.adoptNode(page.querySelector('main')));
  for (const link of document.querySelectorAll('a[href="/admin"]'))
    link.addEventListener('click', (event) => {
      event.preventDefault();
      void show(token);
    });
}
document.querySelector('form').addEventListener('submit', (event) => {
  event.preventDefault();
  void show(document.getElementById('token').value.trim());
});`;
