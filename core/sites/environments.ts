import { parseAuthorHost } from '@repoless/contract/addresses.ts';
import type { ServiceInfo } from '@repoless/contract/service.ts';
import type { Known } from '../situation/call.ts';
import type { AuthoringPort } from '../situation/ports.ts';

/** An authoring environment and its technical account for publishing: each has one (docs/design-facts.md 2.5). */
export interface Environment {
  readonly author: string;
  /** Absent if the authoring system shows none. */
  readonly technicalAccount?: string;
}

/** Reads the technical account of an environment from the configuration or delivery sheet of one of its pages. */
export async function readEnvironment(authoring: AuthoringPort, page: string, info: ServiceInfo): Promise<Known<Environment>> {
  const settings = await authoring.settings(page, info);
  if (settings.state !== 'known') return settings;
  const { author, technicalAccount } = settings.value;
  return {
    state: 'known',
    value: { author, ...(technicalAccount.value === undefined ? {} : { technicalAccount: technicalAccount.value }) },
  };
}

export function accountOf(environments: readonly Environment[], author: string): string | undefined {
  return environments.find((environment) => environment.author === author)?.technicalAccount;
}

/** Why a technical account does not match an author. `data` is for the message. */
export interface AccountMismatch {
  readonly data: {
    readonly account: string;
    readonly environment: string;
    /** The account that belongs to the environment; empty if unknown. */
    readonly own: string;
    /** The environment that the account belongs to; empty if unknown. */
    readonly belongsTo: string;
  };
}

/**
 * Whether an account belongs to another environment: it differs from the one that the author shows as its own, or another
 * author shows it as its own. Undefined if there is no evidence of that.
 */
export function accountMismatch(account: string, author: string, environments: readonly Environment[]): AccountMismatch | undefined {
  const same = (one: string | undefined) => one?.toLowerCase() === account.toLowerCase();
  const own = accountOf(environments, author);
  const other = environments.find((environment) => environment.author !== author && same(environment.technicalAccount));
  if (account === '' || same(own) || (own === undefined && other === undefined)) return undefined;
  const belongsTo = other === undefined ? '' : nameOf(other.author);
  return { data: { account, environment: nameOf(author), own: own ?? '', belongsTo } };
}

/** `p100-e300` of an author host, otherwise the host. */
function nameOf(author: string): string {
  const host = parseAuthorHost(author);
  return host === undefined ? author : `p${host.program}-e${host.environment}`;
}
