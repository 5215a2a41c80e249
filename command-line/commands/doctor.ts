import { configAddress } from '@repoless/contract/addresses.ts';
import type { Org } from '@repoless/contract/org.ts';
import { hostDomains, type ServiceInfo } from '@repoless/contract/service.ts';
import { commandLine as messages } from '@repoless/core/messages/en/command-line.ts';
import type { SetupPorts } from '@repoless/core/situation/ports.ts';
import type { Known } from '@repoless/core/situation/call.ts';
import { sameValue } from '@repoless/contract/json.ts';
import { readCredential } from '@repoless/upstream/credential.ts';
import { isUpgraded } from '@repoless/upstream/call.ts';
import { type CliContext, type CommandResult, type Options, UsageProblem } from '../cli-context.ts';
import { connect, type Connection, must } from '../connect.ts';
import { failureLine, notKnown } from '../explain.ts';

/** One line of the report. `problem`: it prevents setting up sites. */
interface Line {
  readonly about: 'service' | 'you' | 'generation' | 'organization' | 'site' | 'preview' | 'live';
  readonly state: 'fine' | 'note' | 'problem';
  readonly text: string;
}

const SIGNS = { fine: 'ok', note: '--', problem: '!!' } as const;

/**
 * Reports who the caller is and until when, what they may do, who can do the rest, and what the hosts respond. Reads only. 0: fine; 3:
 * something prevents setting up sites.
 */
export async function doctor(context: CliContext, options: Options): Promise<CommandResult> {
  const connection = await connect(context, options);
  const ports = connection.ports(connection.service);
  const info = must(await ports.service.info(), notKnown);
  const lines: Line[] = [{ about: 'service', state: 'fine', text: messages.doctor.service(connection.service, info.hosted !== undefined) }];
  lines.push(...(await aboutCaller(context, connection, { ...ports, isHosted: info.hosted !== undefined })));
  const { organization, sites } = options;
  const isIn = !lines.some(({ state }) => state === 'problem');
  if (organization === undefined && sites.length > 0) throw new UsageProblem(messages.usage.noOrganization);
  if (isIn && organization !== undefined) {
    const org = await ports.service.organization(organization);
    lines.push(aboutOrganization(organization, org));
    for (const site of sites) lines.push(...(await aboutSite({ connection, ports, info, organization, org }, site)));
  }
  const hasProblem = lines.some(({ state }) => state === 'problem');
  return {
    code: hasProblem ? 3 : 0,
    json: { service: connection.service, hosted: info.hosted !== undefined, lines },
    lines: [
      ...lines.map(({ state, text }) => `${SIGNS[state]} ${text}`),
      ...(organization === undefined && isIn ? [messages.doctor.more] : []),
    ],
  };
}

async function aboutCaller(
  { now }: CliContext,
  connection: Connection,
  { service, isHosted }: SetupPorts & { readonly isHosted: boolean },
): Promise<Line[]> {
  const { token } = connection;
  if (token === undefined) return [{ about: 'you', state: 'problem', text: messages.login.needed }];
  const profile = await service.profile();
  const credential = isHosted ? readCredential(token) : undefined;
  const extension: Line[] =
    credential?.isOfExtension === true && credential.kind !== 'api-key'
      ? [{ about: 'you', state: 'note', text: messages.doctor.extension }]
      : [];
  if (profile.state !== 'known') {
    const text = profile.state === 'failed' ? failureLine(profile.failure) : connection.notAccepted;
    return [{ about: 'you', state: 'problem', text }, ...extension];
  }
  const { email, exp, apiKey } = profile.value;
  const hours = (exp * 1000 - now().getTime()) / 3_600_000;
  const until = new Date(exp * 1000).toISOString();
  const text = messages.doctor.you(
    apiKey === undefined ? email : messages.doctor.key(apiKey.id, apiKey.subject),
    credential?.kind,
    until,
    hours,
  );
  return [{ about: 'you', state: hours < 1 ? 'note' : 'fine', text }, ...extension];
}

function aboutOrganization(name: string, org: Known<Org>): Line {
  if (org.state === 'known') {
    const admins = org.value.users.filter(({ roles }) => roles.includes('admin')).map(({ email }) => email);
    return { about: 'organization', state: 'fine', text: messages.doctor.organization(name, admins) };
  }
  // Callers with roles on single sites only may not read it, and can still set those up.
  const why = org.state === 'missing' ? undefined : failureLine(org.failure);
  return { about: 'organization', state: 'note', text: messages.doctor.noOrganization(name, why) };
}

interface Asking {
  readonly connection: Connection;
  readonly ports: SetupPorts;
  readonly info: ServiceInfo;
  readonly organization: string;
  readonly org: Known<Org>;
}

async function aboutSite({ connection, ports, info, organization, org }: Asking, site: string): Promise<Line[]> {
  const { hosted } = connection;
  const upgraded = hosted === undefined ? undefined : await isUpgraded(hosted, organization, site).catch(() => undefined);
  const generation: Line[] =
    upgraded === undefined ? [] : [{ about: 'generation', state: 'fine', text: messages.doctor.generation(site, upgraded) }];
  const stored = await ports.service.siteConfigurations(organization, site);
  if (stored.state === 'missing')
    return [...generation, { about: 'site', state: 'problem', text: messages.doctor.noSite(organization, site) }];
  if (stored.state === 'failed') {
    const text = messages.doctor.siteRefused(site, failureLine(stored.failure), org.state === 'known' ? adminsOf(org.value) : []);
    return [...generation, { about: 'site', state: 'problem', text }];
  }
  const { config } = stored.value;
  const people = { admin: config.access?.admin?.role?.admin ?? [], config_admin: config.access?.admin?.role?.config_admin ?? [] };
  const lines: Line[] = [{ about: 'site', state: 'fine', text: messages.doctor.site(site, people.admin, people.config_admin) }];
  if (people.admin.length === 0) lines.push({ about: 'site', state: 'note', text: messages.doctor.unadministered(site) });
  const ending = Object.entries(config.apiKeys ?? {}).map(([name, { expiration }]) => `${name} (${expiration.slice(0, 10)})`);
  if (ending.length > 0) lines.push({ about: 'site', state: 'note', text: messages.doctor.keys(ending) });
  const domains = hostDomains(info);
  for (const tier of ['preview', 'live'] as const) {
    const address = configAddress(domains, tier, organization, site);
    const { status, answer } = await ports.hosts.config(address);
    const isRight = answer.state === 'known' && sameValue(answer.value, config.public ?? {});
    const text = isRight ? messages.doctor.host(address) : messages.doctor.hostDiffers(address, status);
    lines.push({ about: tier, state: isRight ? 'fine' : 'problem', text });
  }
  return [...generation, ...lines];
}

function adminsOf({ users }: Org): string[] {
  return users.filter(({ roles }) => roles.includes('admin')).map(({ email }) => email);
}
