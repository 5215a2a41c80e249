import { type operatorEndpoints, QUEUE_NAMES, type QUOTA_NAMES, type ServiceState } from '@repoless/contract/operator.ts';
import { isOperator } from '../access/permit.ts';
import type { Context } from '../domain/context.ts';
import type { HttpOperation, Reply } from './answer.ts';
import { isOwnRequest } from './caller.ts';
import { html, type Html, type Page, pageOutcome } from './session/page.ts';

type Rows = typeof operatorEndpoints;

interface OperatorServices<C> {
  readonly publicAddress: string;
  /** E-mail addresses in lower case. */
  readonly operators: readonly string[];
  state(context: C): Promise<ServiceState>;
  /** The answer to callers who are not signed in; absent: they are redirected to the sign-in of this service. */
  readonly unknown?: (context: C) => Reply;
}

export function operatorOperations<C extends Pick<Context, 'caller' | 'newId'>>({
  publicAddress,
  operators,
  state,
  unknown,
}: OperatorServices<C>): { readonly [Id in keyof Rows]: HttpOperation<Rows[Id], C> } {
  return {
    getServiceState: async (context) => ({ status: 200, body: await state(context) }),
    async operatorPage(context, { headers }) {
      const { caller } = context;
      // A cookie that another origin makes the browser send counts as none.
      const isForeign = caller.kind === 'user' && caller.credential === 'cookie' && !isOwnRequest(headers, publicAddress);
      if (caller.kind === 'anonymous' || isForeign) return unknown?.(context) ?? { status: 302, headers: { location: TO_LOGIN } };
      if (isOperator(caller, operators)) return pageOutcome(context, statePage(await state(context)));
      const main = html`<p>
          You are signed in as <strong>${caller.email}</strong>. This page is for the operators of the service, whom its setting OPERATORS
          names.
        </p>
        ${unknown === undefined ? ACTIONS : ''}`;
      return pageOutcome(context, { title: 'For operators only', main }, 403, {
        'x-error': 'not authorized',
        'x-error-code': 'NOT_AUTHORIZED',
      });
    },
  };
}

const TO_LOGIN = `/login?returnTo=${encodeURIComponent('/admin')}`;
const ACTIONS = html`<p class="actions"><a href="/profile">Your profile</a> <a href="/logout">Sign out</a></p>`;

/** The state of the service for a person: tables, each with a heading, and a sentence instead of an empty table. */
function statePage(state: ServiceState): Page {
  const { service, storage, hosted } = state;
  const main = html`<p class="quiet">As this node sees it at ${clock(state.time)}. <a href="/admin">Refresh</a></p>
    <dl>
      <dt>Version</dt>
      <dd>${service.version}, on Node.js ${service.node}</dd>
      <dt>Up since</dt>
      <dd>${clock(service.started)}, ${lasting(service.uptime)}</dd>
      <dt>Storage</dt>
      <dd>${storage.kind === 'sqlite' ? 'SQLite' : 'PostgreSQL'}</dd>
      <dt>Tables</dt>
      <dd>${storage.schema}</dd>
    </dl>
    ${nodes(state)} ${hosted === undefined ? jobs(state) : hostedRequests(hosted)} ${queues(state)} ${failures(state)}
    ${hosted === undefined ? quotas(state) : ''}
    <p class="quiet">
      The same as JSON: ${hosted === undefined ? html`<a href="/admin/state">/admin/state</a>` : html`<code>/admin/state</code>`}. Rates and
      times are figures for Prometheus (<code>METRICS_PORT</code>); the log has all of each failure, under its request id.
    </p>
    ${hosted === undefined ? ACTIONS : ''}`;
  return { title: 'State of the service', main, wide: true };
}

function hostedRequests({ address, answers, organizations, refused, keys }: NonNullable<ServiceState['hosted']>): Html {
  return html`${section(
      `Answers of the hosted service at ${address}`,
      'There were no requests since this node was started.',
      ['Status', 'Requests', 'On average'],
      answers,
      ({ status, count, average }) => [
        status === 'none' ? 'no answer' : status,
        count.toLocaleString('en'),
        `${average.toLocaleString('en')} ms`,
      ],
    )}
    <p>Tokens that it did not accept: ${refused}.</p>
    ${section(
      'Organizations with requests in progress',
      'No request is in progress.',
      ['Organization', 'Under way', 'Waiting for their turn'],
      organizations,
      ({ org, running, waiting }) => [org === '' ? 'none: sign-ins' : org, running, waiting],
    )}
    ${section(
      'Standing API keys',
      'There is none: sites are checked when someone presses “Check”.',
      ['Organization', 'Key', 'Ends'],
      keys,
      ({ org, id, ends }) => [org, id, ends ?? 'not said'],
    )}`;
}

function nodes({ nodes: all }: ServiceState): Html {
  return section('Nodes', 'No node is known.', ['Node', 'Running'], all, ({ name, self, running }) => [
    `${name}${self ? ' (this node)' : ''}`,
    running ? 'yes' : 'no',
  ]);
}

function jobs({ time, jobs: { states, failed, oldest } }: ServiceState): Html {
  const counts = states.map(({ state, count }) => `${count} ${state}`).join(', ');
  const open = counts === '' ? '' : `Open: ${counts}. `;
  const started = (attempts: number) => (attempts === 0 ? 'not yet' : attempts === 1 ? 'once' : `${attempts} times`);
  return html`${section(
      'Code syncs',
      'No code sync is open.',
      ['Job', 'Repository', 'Branch', 'State', 'Age', 'Started'],
      oldest,
      ({ name, code, ref, state, created, attempts }) => [name, code, ref, state, age(created, time), started(attempts)],
    )}
    <p>${open}Failed in the last 24 hours: ${failed}.</p>`;
}

function queues({ time, queues: all }: ServiceState): Html {
  const found = QUEUE_NAMES.flatMap((name) => {
    const queue = all[name];
    return queue === undefined ? [] : [{ title: QUEUES[name], ...queue }];
  });
  return section('Queues', 'There is no queue.', ['Waiting', 'How many', 'Oldest'], found, ({ title, waiting, oldest }) => [
    title,
    waiting,
    oldest === undefined ? '–' : age(oldest, time),
  ]);
}

function failures({ failures: all }: ServiceState): Html {
  const none = 'No unexpected errors on this node since it was started.';
  return section('Last failures of this node', none, ['Time', 'Request', 'What'], all, ({ time, requestId, error }) => [
    clock(time),
    requestId,
    error,
  ]);
}

function quotas({ quotas: all }: ServiceState): Html {
  const columns = ['Organization', 'Quota', 'Used', 'Limit', 'Share'];
  return section('Nearest to their quotas', 'No organization has a quota.', columns, all, ({ org, quota, used, limit }) => [
    org,
    QUOTAS[quota],
    used.toLocaleString('en'),
    limit.toLocaleString('en'),
    (used / limit).toLocaleString('en', { style: 'percent', maximumFractionDigits: 1 }),
  ]);
}

type Cell = string | number;

/** The first cell of a row names it. A wide table scrolls on its own, also by keyboard. */
function section<T>(title: string, none: string, columns: readonly string[], rows: readonly T[], cells: (row: T) => readonly Cell[]): Html {
  const heading = html`<h2>${title}</h2>`;
  if (rows.length === 0)
    return html`${heading}
      <p>${none}</p>`;
  const printed = rows.map((row) => {
    const [first = '', ...rest] = cells(row);
    return html`<tr>
      <th scope="row">${first}</th>
      ${rest.map((cell) => html`<td>${cell}</td>`)}
    </tr>`;
  });
  return html`${heading}
    <div class="scroll" role="region" aria-label="${title}" tabindex="0">
      <table>
        <thead>
          <tr>
            ${columns.map((column) => html`<th scope="col">${column}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${printed}
        </tbody>
      </table>
    </div>`;
}

function clock(time: string): string {
  return `${time.slice(0, 10)} ${time.slice(11, 19)} UTC`;
}

function age(since: string, now: string): string {
  return lasting(Math.max(0, Math.round((Date.parse(now) - Date.parse(since)) / 1000)));
}

/** Takes seconds, returns e.g. `3 h 20 min`. */
function lasting(seconds: number): string {
  const [days, hours, minutes] = [Math.floor(seconds / 86_400), Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60];
  if (days > 0) return `${days} d ${hours} h`;
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min` : `${seconds} s`;
}

const QUEUES: Readonly<Record<(typeof QUEUE_NAMES)[number], string>> = {
  syncs: 'Code syncs without a node',
  rollouts: 'Rollouts in progress',
  messages: 'Event messages to send',
};
const QUOTAS: Readonly<Record<(typeof QUOTA_NAMES)[number], string>> = {
  sites: 'Sites',
  repositories: 'Repositories',
  versions: 'Versions',
  configurationBytes: 'Bytes of configuration',
  codeBytes: 'Bytes of code',
  secrets: 'Secrets',
  apiKeys: 'API keys',
};
