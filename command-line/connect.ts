import { SessionToken } from '@repoless/contract/session.ts';
import { createAuthoringProxy } from '@repoless/core/api/authoring-proxy.ts';
import { type Client, createClient, createTrace } from '@repoless/core/api/client.ts';
import { parseJson } from '@repoless/core/api/exchange.ts';
import { createHostsPort } from '@repoless/core/api/hosts-port.ts';
import { createServicePort } from '@repoless/core/api/service-port.ts';
import { createAuthoringPort } from '@repoless/core/authoring/create-authoring-port.ts';
import { commandLine as messages } from '@repoless/core/messages/en/command-line.ts';
import type { AuthoringPort, ServicePort, SetupPorts } from '@repoless/core/situation/ports.ts';
import type { Pace } from '@repoless/core/run/retry.ts';
import type { Reach } from '@repoless/core/sites/prepare-row.ts';
import type { Known } from '@repoless/core/situation/call.ts';
import { mkdir } from 'node:fs/promises';
import type { FetchHosted } from '@repoless/upstream/fetch-hosted.ts';
import { isApiKey } from '@repoless/upstream/credential.ts';
import type { HostedService } from '@repoless/upstream/hosted.ts';
import { join } from 'node:path';
import { z } from 'zod';
import { type CliContext, CommandFailure, type Options, UsageProblem } from './cli-context.ts';
import { readText, replaceFile } from './site-files.ts';
import { hostedAt, throughBridge } from './hosted-connection.ts';
import { reportingNetwork } from './network.ts';

/** The service and, with an authoring token, the authoring systems. */
export interface Connection {
  readonly service: string;
  readonly client: Client;
  readonly reach: Reach;
  /** Set if the service is the hosted one, not our own. */
  readonly hosted: (HostedService & { readonly fetchHosted: FetchHosted }) | undefined;
  /** Signed in, as far as is known without a request. */
  readonly signedIn: boolean;
  readonly token: string | undefined;
  /** The message if the service refuses the token. */
  readonly notAccepted: string;
  /** The ports for an author; `authoring` replaces the authoring system if there is no authoring token. */
  ports(author: string, authoring?: AuthoringPort): SetupPorts;
}

export async function connect(base: CliContext, options: Options, fromFile?: string): Promise<Connection> {
  const { env, wait, now } = base;
  const context = { ...base, fetch: reportingNetwork<Parameters<CliContext['fetch']>, Response>(base, addressOf, base.fetch) };
  const service = serviceAddress(options.service ?? fromFile ?? env['REPOLESS_SERVICE']);
  const hosted = hostedAt(context, service);
  const answering = hosted === undefined ? context.fetch : throughBridge(context, options, hosted);
  // A transfer lists the warnings itself.
  const fetch = options.to === undefined ? reportingWarnings(context, service, answering) : answering;
  refuseOtherService(env, service, options);
  const own = tokenOf(env, 'REPOLESS_TOKEN');
  const token = own ?? (await freshToken(context, service));
  const authoringToken = tokenOf(env, 'REPOLESS_AUTHORING_TOKEN');
  const tokenRefused = own === undefined ? messages.login.ended : messages.login.notAccepted('REPOLESS_TOKEN');
  const isKey = token !== undefined && isApiKey(token, hosted !== undefined);
  const notAccepted = isKey ? messages.login.keyNotAccepted(own !== undefined) : tokenRefused;
  const trace = createTrace();
  // All requests of a command share one trace.
  trace.inOneTrace();
  const refused = { kind: 'refused', status: 401, message: token === undefined ? messages.login.needed : notAccepted } as const;
  const client = createClient({ service, token: async () => token, renew: async () => refused, fetch, trace });
  let behind: string | undefined;
  const servicePort = rememberingPort(createServicePort(client, (info) => (behind = info.hosted)));
  return {
    service,
    hosted,
    client,
    reach: authoringToken === undefined ? 'service' : 'both',
    signedIn: token !== undefined,
    token,
    notAccepted,
    ports: (author, authoring) => {
      const proxy = createAuthoringProxy({ client, author, authoringToken: async () => authoringToken });
      // Hosts of the hosted service accept only site tokens, and must not receive any other.
      const hosts = createHostsPort({
        proxy,
        token: async () => (hosted === undefined && behind === undefined ? token : undefined),
        fetch,
      });
      return { service: servicePort, authoring: authoring ?? createAuthoringPort(proxy), hosts, wait, now };
    },
  };
}

/** A fetch that says once what a person has to know about a write that was made, such as a concurrent change by someone else. */
function reportingWarnings({ err }: Pick<CliContext, 'err'>, service: string, fetching: typeof fetch): typeof fetch {
  const reported = new Set<string>();
  return async (input, init) => {
    const answer = await fetching(input, init);
    const address = addressOf(input);
    const warning = answer.headers.get('x-warning');
    const method = init?.method ?? (input instanceof Request ? input.method : 'GET');
    if (warning === null || method === 'GET' || !address.startsWith(`${service}/`) || address.includes('dryRun=true')) return answer;
    const path = address.slice(service.length).replace(/\?.*/s, '');
    const line = `${/^\/config\/[^/]+\/sites\/([^/.]+)/.exec(path)?.[1] ?? path}: ${warning}`;
    if (!reported.has(line)) err(`${line}\n`);
    reported.add(line);
    return answer;
  };
}

function addressOf(input: Parameters<CliContext['fetch']>[0]): string {
  return input instanceof Request ? input.url : String(input);
}

/** A file may come from anyone's pull request, so it must not choose where the environment's token is sent. */
function refuseOtherService(env: CliContext['env'], service: string, options: Options): void {
  const own = env['REPOLESS_SERVICE'] ?? '';
  if (tokenOf(env, 'REPOLESS_TOKEN') === undefined || options.service !== undefined) return;
  if (own === '' || serviceAddress(own) !== service) throw new UsageProblem(messages.usage.otherService(service, own));
}

type TokenVariable = 'REPOLESS_TOKEN' | 'REPOLESS_AUTHORING_TOKEN';

/** A token of the environment. An empty one counts as none: pipelines that may not read their secrets have that. */
function tokenOf(env: CliContext['env'], variable: TokenVariable): string | undefined {
  const token = env[variable];
  if (token === undefined || token === '') return undefined;
  if (!TOKEN.test(token)) throw new UsageProblem(messages.login.noToken(variable));
  return token;
}

/** Visible ASCII characters except quotes. */
const TOKEN = /^[!#-&(-~]+$/;

/** The key of the token store: scheme and host. */
function serviceAddress(text: string | undefined): string {
  if (text === undefined || text === '') throw new UsageProblem(messages.usage.noService);
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) throw new UsageProblem(messages.usage.serviceInvalid(text));
  return text.replace(/\/+$/, '');
}

async function freshToken({ configDirectory, now }: CliContext, service: string): Promise<string | undefined> {
  const stored = await openTokenStore(configDirectory).get(service);
  return stored !== undefined && stored.exp * 1000 > now().getTime() ? stored.token : undefined;
}

/** Reads once what is the same for every site of a run; the next caller repeats a failed read. */
function rememberingPort(service: ServicePort): ServicePort {
  const organization = remembered((org: string) => service.organization(org));
  const info = remembered(() => service.info());
  const profile = remembered(() => service.profile());
  return { ...service, info: () => info(''), profile: () => profile(''), organization };
}

function remembered<T>(read: (name: string) => Promise<Known<T>>): (name: string) => Promise<Known<T>> {
  const answers = new Map<string, Promise<Known<T>>>();
  return async (name) => {
    const pending = answers.get(name) ?? read(name);
    answers.set(name, pending);
    const answer = await pending;
    if (answer.state === 'failed' && answers.get(name) === pending) answers.delete(name);
    return answer;
  };
}

/** The value; throws a message instead. */
export function must<T>(known: Known<T>, explain: (known: Exclude<Known<T>, { state: 'known' }>) => Error): T {
  if (known.state === 'known') return known.value;
  throw explain(known);
}

const StoredTokens = z.record(z.string(), SessionToken);

/**
 * Tokens by the service's address, in a file that only its owner may read. Throws UsageProblem if it cannot be read, CommandFailure if it
 * cannot be written.
 */
export interface TokenStore {
  get(service: string): Promise<SessionToken | undefined>;
  put(service: string, token: SessionToken): Promise<void>;
  remove(service: string): Promise<void>;
}

export function openTokenStore(directory: string): TokenStore {
  const file = join(directory, 'tokens.json');
  const read = async () => {
    const parsed = StoredTokens.safeParse(parseJson((await readText(file)) ?? ''));
    return parsed.success ? parsed.data : {};
  };
  const write = async (tokens: z.infer<typeof StoredTokens>) => {
    await store(tokens).catch((error: unknown) => {
      throw new CommandFailure(messages.login.notKept(file, error instanceof Error ? error.message : String(error)));
    });
  };
  const store = async (tokens: z.infer<typeof StoredTokens>) => {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await replaceFile(file, `${JSON.stringify(tokens, null, 2)}\n`, 0o600);
  };
  return {
    get: async (service) => (await read())[service],
    put: async (service, token) => write({ ...(await read()), [service]: token }),
    async remove(service) {
      const { [service]: removed, ...others } = await read();
      if (removed !== undefined) await write(others);
    },
  };
}

/**
 * Ports whose reads wait together, at the pace of the command, while a system reports that it is busy. An unreachable system fails
 * immediately: a site takes many reads, and each of them would wait.
 */
export function retryingPorts(ports: SetupPorts, pace: Pace): SetupPorts {
  const { service, authoring } = ports;
  const retrying =
    <A extends readonly unknown[], T>(read: (...args: A) => Promise<Known<T>>) =>
    (...args: A): Promise<Known<T>> =>
      whileBusy(pace, () => read(...args));
  return {
    ...ports,
    service: {
      ...service,
      info: retrying(service.info),
      profile: retrying(service.profile),
      organization: retrying(service.organization),
      organizations: retrying(service.organizations),
      site: retrying(service.site),
      siteConfigurations: retrying(service.siteConfigurations),
      stored: retrying(service.stored),
      sites: retrying(service.sites),
      allSites: retrying(service.allSites),
      configuration: retrying(service.configuration),
      versions: retrying(service.versions),
      version: retrying(service.version),
      codeSync: retrying(service.codeSync),
      codeCheck: retrying(service.codeCheck),
      secret: retrying(service.secret),
      challenge: retrying(service.challenge),
      dryRun: retrying(service.dryRun),
    },
    authoring: {
      ...authoring,
      settings: retrying(authoring.settings),
      page: retrying(authoring.page),
      children: retrying(authoring.children),
      content: retrying(authoring.content),
      edgeConfiguration: retrying(authoring.edgeConfiguration),
      lock: retrying(authoring.lock),
      mayWrite: retrying(authoring.mayWrite),
      readyToWrite: retrying(authoring.readyToWrite),
    },
  };
}

const BUSY: readonly (number | undefined)[] = [429, 503];

async function whileBusy<T>(pace: Pace, read: () => Promise<Known<T>>): Promise<Known<T>> {
  const taken = async (): Promise<Known<Known<T>>> => {
    const answer = await read();
    return answer.state === 'failed' && BUSY.includes(answer.failure.status) ? answer : { state: 'known', value: answer };
  };
  const answer = await pace.call(taken);
  return answer.state === 'known' ? answer.value : answer;
}
