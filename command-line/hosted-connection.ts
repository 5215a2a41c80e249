import { allowedAuthor, AUTHORING_TOKEN_HEADER, authorTimeout, authorUnreachable, PROXIED_READS } from '@repoless/contract/authoring.ts';
import { codeSentence } from '@repoless/contract/code-sentences.ts';
import { Refusal } from '@repoless/contract/refusal.ts';
import { type FetchHosted, type HostedAnswer, createFetchHosted } from '@repoless/upstream/fetch-hosted.ts';
import { type Bridge, type BridgeAnswer, type BridgeRequest, createBridge, refusedAnswer } from '@repoless/upstream/bridge.ts';
import { bridgedFetch, type HostedService, hostedServiceAt, type HostedSettings, infoOf } from '@repoless/upstream/hosted.ts';
import { commandLine as messages } from '@repoless/core/messages/en/command-line.ts';
import { parseJson } from '@repoless/core/api/exchange.ts';
import type { Store, StoredKind } from '@repoless/upstream/store.ts';
import { constants } from 'node:fs';
import { access, mkdir, readdir, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { type CliContext, CommandFailure, type Options } from './cli-context.ts';
import { dispatcherOf, reportingNetwork, systemCode } from './network.ts';
import { readText, replaceFile } from './site-files.ts';

/** The hosted service at an address, with its client; undefined if it is our own service. */
export function hostedAt(context: CliContext, service: string): (HostedService & { readonly fetchHosted: FetchHosted }) | undefined {
  const hosted = hostedServiceAt(service, hostedSettings(context.env));
  if (hosted === undefined) return undefined;
  // Requests in progress keep their pace while the command ends.
  const asking = createFetchHosted({
    wait: (milliseconds) => context.wait(milliseconds, NEVER),
    now: () => context.now().getTime(),
    dispatcher: dispatcherOf(context.env),
  });
  const fetchHosted = reportingNetwork<Parameters<FetchHosted>, HostedAnswer>(context, ({ base }) => base, asking);
  return { ...hosted, fetchHosted };
}

const NEVER = new AbortController().signal;

/** Settings of a hosted service at another address. */
function hostedSettings(env: CliContext['env']): HostedSettings {
  return {
    service: env['REPOLESS_HOSTED'],
    successor: env['REPOLESS_HOSTED_SUCCESSOR'],
    previewDomain: env['REPOLESS_HOSTED_PREVIEW'],
    liveDomain: env['REPOLESS_HOSTED_LIVE'],
    codeHost: env['REPOLESS_HOSTED_CODE_HOST'],
    codeHostRaw: env['REPOLESS_HOSTED_CODE_HOST_RAW'],
    generation: env['REPOLESS_HOSTED_GENERATION'],
  };
}

/** The bridge runs in this program; requests to other systems are sent directly. */
export function throughBridge(
  context: CliContext,
  options: Options,
  hosted: HostedService & { readonly fetchHosted: FetchHosted },
): typeof fetch {
  const folder = historyFolder(options);
  const store = reportingFailures(context, folder, openHistoryFolder(resolve(context.cwd, folder)));
  const bridge = createBridge({ ...hosted, store, info: infoOf(hosted), now: context.now });
  const relay = relayAuthoring(authorHosts(context.env), context.fetch);
  const answer: Bridge = async (request) => await (relay(request) ?? bridge(request));
  return bridgedFetch(answer, hosted.service, context.fetch);
}

function historyFolder({ history, file }: Options): string {
  return history ?? join(file === undefined || file === '-' ? '.' : dirname(file), HISTORY_FOLDER);
}

/** Throws CommandFailure if rollouts, which are stored in the folder of the history, cannot be stored there. */
export async function requireHistory({ cwd }: CliContext, options: Options, organization: string): Promise<void> {
  const folder = historyFolder(options);
  const rollouts = resolve(cwd, folder, organization, 'rollouts');
  await mkdir(rollouts, { recursive: true })
    .then(() => access(rollouts, constants.R_OK | constants.W_OK | constants.X_OK))
    .catch((error: unknown) => {
      throw new CommandFailure(messages.history.unusable(folder, error instanceof Error ? error.message : String(error)));
    });
}

/** The store of a folder; says once that the folder cannot be read or written, and why. */
function reportingFailures({ err }: Pick<CliContext, 'err'>, folder: string, { put, get, remove, list }: Store): Store {
  let isReported = false;
  const reporting =
    <A extends readonly unknown[], T>(work: (...args: A) => Promise<T>) =>
    async (...args: A) =>
      await work(...args).catch((error: unknown) => {
        if (!isReported) err(`${messages.history.unusable(folder, error instanceof Error ? error.message : String(error))}\n`);
        isReported = true;
        throw error;
      });
  return { put: reporting(put), get: reporting(get), remove: reporting(remove), list: reporting(list) };
}

/** The authors that the environment's token may be sent to, if there is no service of our own to name them. */
function authorHosts(env: CliContext['env']): readonly string[] {
  return (env['REPOLESS_AUTHOR_HOSTS'] ?? '')
    .split(',')
    .map((host) => host.trim())
    .filter((host) => host !== '');
}

/** Next to the sites file, unless `--history` names another location. */
const HISTORY_FOLDER = 'repoless-history';

const PATH = /^\/authoring\/([^/]+)(\/[^?]*)/;
/** Milliseconds. */
const TIME = 30_000;

/**
 * Answers calls of the authoring proxy by calling the authoring system directly when there is no service in between. Takes the hosts that
 * the person's token may be sent to, because the file that names the author may come from anyone. Undefined: the call is not one of the
 * proxy's.
 */
function relayAuthoring(hosts: readonly string[], fetching: typeof fetch): (request: BridgeRequest) => ReturnType<Bridge> | undefined {
  return (request) => {
    const [, named = '', path = ''] = PATH.exec(request.path) ?? [];
    if (path === '') return undefined;
    const host = decodeURIComponent(named);
    return relayed({ hosts, fetching, host, path: `${path}${new URL(request.path, 'http://relay.invalid').search}` }, request).catch(
      (error: unknown) => {
        if (error instanceof Refusal) return refusedAnswer(error);
        throw error;
      },
    );
  };
}

interface RequestParts {
  readonly hosts: readonly string[];
  readonly fetching: typeof fetch;
  readonly host: string;
  /** Path and query on the author. */
  readonly path: string;
}

async function relayed({ hosts, fetching, host, path }: RequestParts, { method, headers, body }: BridgeRequest): Promise<BridgeAnswer> {
  const origin = allowedAuthor(host, hosts);
  if (origin === undefined)
    throw new Refusal('AUTHOR_NOT_ALLOWED', `Your authoring token is not sent to ${host}: REPOLESS_AUTHOR_HOSTS does not name it.`, {
      data: { host },
    });
  const isWrite = method !== 'GET';
  const token = headers[AUTHORING_TOKEN_HEADER];
  const csrf = isWrite ? new URLSearchParams(body).get(':cq_csrf_token') : null;
  const fetched = fetching(`${origin}${path}`, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: token }),
      ...(isWrite ? { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' } : {}),
      ...(csrf === null ? {} : { 'csrf-token': csrf }),
    },
    ...(body === undefined ? {} : { body }),
    // A credential in a custom header must not be sent to another origin.
    redirect: isWrite ? 'manual' : 'follow',
    signal: AbortSignal.timeout(TIME),
  });
  const { answer, text } = await fetched
    .then(async (response) => ({ answer: response, text: await response.text() }))
    .catch((error: unknown) => {
      throw unanswered(error, host, isWrite);
    });
  if (isWrite && answer.status >= 300 && answer.status < 400)
    throw new Refusal(
      'AUTHOR_ANSWER_REFUSED',
      'The authoring system answered the write with a redirect. Read again to check whether it succeeded.',
    );
  if (answer.redirected && !isAllowed(answer.url, origin))
    throw new Refusal(
      'AUTHOR_ANSWER_REFUSED',
      'The authoring system redirects to a page that is not allowed. This is usually its sign-in page: sign in there again.',
    );
  const type = answer.headers.get('content-type');
  return {
    status: answer.status,
    headers: { 'x-relayed': 'true', ...(type === null ? {} : { 'content-type': type }) },
    text,
  };
}

/** Why the authoring system gave no complete answer. */
function unanswered(error: unknown, host: string, isWrite: boolean): Refusal {
  if (error instanceof Error && error.name === 'TimeoutError') return authorTimeout(`${TIME / 1000}`, isWrite);
  const isUnresolved = UNRESOLVED.has(systemCode(error));
  return authorUnreachable(codeSentence(isUnresolved ? 'hostUnresolved' : 'hostUnresponsive', { host }), error);
}

const UNRESOLVED: ReadonlySet<string> = new Set(['ENOTFOUND', 'EAI_AGAIN']);

function isAllowed(address: string, origin: string): boolean {
  const url = new URL(address);
  return url.origin === origin && PROXIED_READS.some((pattern) => pattern.test(decodeURIComponent(url.pathname)));
}

/**
 * Stores each change as a file `<organization>/<time>-<identifier>.json`: readable by people, mergeable by git, without credentials.
 * Everything else is in folders next to them. Ignores files that are not JSON.
 */
function openHistoryFolder(folder: string): Store {
  const folderOf = (kind: StoredKind, org: string) => join(folder, org, ...(kind === 'change' ? [] : [`${kind}s`]));
  const read = async (file: string) => parseJson((await readText(file)) ?? '');
  return {
    async put(kind, org, id, value) {
      await mkdir(folderOf(kind, org), { recursive: true });
      await replaceFile(join(folderOf(kind, org), `${id}.json`), `${JSON.stringify(value, null, 2)}\n`);
    },
    get: (kind, org, id) => read(join(folderOf(kind, org), `${id}.json`)),
    remove: (kind, org, id) => rm(join(folderOf(kind, org), `${id}.json`), { force: true }),
    async list(kind, org, newest) {
      const names = await readdir(folderOf(kind, org)).catch(() => []);
      const files = names
        .filter((one) => one.endsWith('.json'))
        .toSorted()
        .slice(newest === undefined ? 0 : -newest);
      return (await Promise.all(files.map((name) => read(join(folderOf(kind, org), name))))).filter((value) => value !== undefined);
    },
  };
}
