import type { operatorEndpoints } from '@repoless/contract/operator-endpoints.ts';
import { getServiceState } from '../../operators/get-service-state.ts';
import type { ProgramFacts } from '../../operators/get-service-state.ts';
import { isOperator } from '../../access/permit.ts';
import { html } from '../session/page.ts';
import { pageOutcome } from '../session/services.ts';
import type { HttpOperation } from '../answer.ts';
import { isOwnRequest } from '../session/own-request.ts';
import { statePage } from './state-page.ts';

type Rows = typeof operatorEndpoints;

/** Calls for operators. */
export function operatorOperations(program: ProgramFacts, publicAddress: string): { readonly [Id in keyof Rows]: HttpOperation<Rows[Id]> } {
  return {
    getServiceState: async (context) => ({ status: 200, body: await getServiceState(context, program) }),
    async operatorPage(context, { headers }) {
      const { caller, settings } = context;
      // A cookie that another origin makes the browser send counts as none.
      const isForeign = caller.kind === 'user' && caller.credential === 'cookie' && !isOwnRequest(headers, publicAddress);
      if (caller.kind === 'anonymous' || isForeign) return { status: 302, headers: { location: TO_LOGIN } };
      if (isOperator(caller, settings.operators)) return pageOutcome(context, statePage(await getServiceState(context, program)));
      const main = html`<p>
          You are signed in as <strong>${caller.email}</strong>. This page is for the operators of the service, whom its setting OPERATORS
          names.
        </p>
        <p class="actions"><a href="/profile">Your profile</a> <a href="/logout">Sign out</a></p>`;
      return pageOutcome(context, { title: 'For operators only', main }, 403, {
        'x-error': 'not authorized',
        'x-error-code': 'NOT_AUTHORIZED',
      });
    },
  };
}

const TO_LOGIN = `/login?returnTo=${encodeURIComponent('/admin')}`;
