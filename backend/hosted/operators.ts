import type { operatorEndpoints, ServiceState } from '@repoless/contract/operator.ts';
import type { HostedService } from '@repoless/upstream/hosted.ts';
import type { RunningRollouts } from '@repoless/upstream/rollout-sites.ts';
import type { HttpOperation, Reply } from '../http/answer.ts';
import { operatorOperations } from '../http/operator-operations.ts';
import { html } from '../http/session/page.ts';
import { pageOutcome } from '../http/session/services.ts';
import { getProgramState, type ProgramFacts } from '../operators/get-service-state.ts';
import type { HostedContext } from './own-calls.ts';
import type { HostedWatch } from './watch.ts';

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
