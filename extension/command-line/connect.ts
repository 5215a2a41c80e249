import { createClient } from '#extension/api/client.ts';
import type { Client } from '#extension/api/client.ts';
import { createHostsPort } from '#extension/api/hosts-port.ts';
import { createRelay } from '#extension/api/relay.ts';
import { createServicePort } from '#extension/api/service-port.ts';
import { createAuthoringPort } from '#extension/authoring/create-authoring-port.ts';
import type { AuthoringPort, ServicePort, SetupPorts } from '#extension/setup/ports.ts';
import type { Known } from '#extension/setup/situation.ts';
import type { Reach } from '#extension/setup/sites/row-situation.ts';
import { commandLine as words } from '#extension/words/en/command-line.ts';
import type { Options } from './arguments.ts';
import { UsageProblem } from './surroundings.ts';
import type { CommandSurroundings } from './surroundings.ts';
import { openTokenStore } from './token-store.ts';

/** The service and, with an authoring token, the authoring systems. */
export interface Connection {
  readonly service: string;
  readonly client: Client;
  readonly reach: Reach;
  /** Somebody is signed in, as far as can be told without asking. */
  readonly signedIn: boolean;
  /** The ports for an author; `authoring` stands in for it where there is no authoring token. */
  ports(author: string, authoring?: AuthoringPort): SetupPorts;
}

export async function connect(surroundings: CommandSurroundings, options: Options, fromFile?: string): Promise<Connection> {
  const { env, fetch, wait, now } = surroundings;
  const service = serviceAddress(options.service ?? fromFile ?? env['REPOLESS_SERVICE']);
  const held = env['REPOLESS_TOKEN'] ?? (await freshToken(surroundings, service));
  const authoringToken = env['REPOLESS_AUTHORING_TOKEN'];
  const client = createClient({ service, token: async () => held, fetch });
  const servicePort = rememberingPort(createServicePort(client));
  return {
    service,
    client,
    reach: authoringToken === undefined ? 'service' : 'both',
    signedIn: held !== undefined,
    ports: (author, authoring) => {
      const relay = createRelay({ client, author, authoringToken: async () => authoringToken });
      const hosts = createHostsPort({ relay, fetch });
      return { service: servicePort, authoring: authoring ?? createAuthoringPort(relay), hosts, wait, now };
    },
  };
}

/** The address as the token store knows it: scheme and host. */
function serviceAddress(text: string | undefined): string {
  if (text === undefined || text === '') throw new UsageProblem(words.usage.noService);
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) throw new UsageProblem(words.usage.serviceInvalid(text));
  return text.replace(/\/+$/, '');
}

async function freshToken({ configDirectory, now }: CommandSurroundings, service: string): Promise<string | undefined> {
  const kept = await openTokenStore(configDirectory).get(service);
  return kept !== undefined && kept.exp * 1000 > now().getTime() ? kept.token : undefined;
}

/** What is the same for every site of a run is asked for once. */
function rememberingPort(service: ServicePort): ServicePort {
  const organizations = new Map<string, ReturnType<ServicePort['organization']>>();
  let info: ReturnType<ServicePort['info']> | undefined;
  let profile: ReturnType<ServicePort['profile']> | undefined;
  return {
    ...service,
    info: () => (info ??= service.info()),
    profile: () => (profile ??= service.profile()),
    organization: (org) => {
      const known = organizations.get(org) ?? service.organization(org);
      organizations.set(org, known);
      return known;
    },
  };
}

/** The value, or what a person is told instead. */
export function must<T>(known: Known<T>, explain: (known: Exclude<Known<T>, { state: 'known' }>) => Error): T {
  if (known.state === 'known') return known.value;
  throw explain(known);
}
