import type { IncomingHttpHeaders } from 'node:http';
import type { Tier } from '@repoless/contract/addresses.ts';
import type { Reads, StoredSite } from '../domain/ports.ts';
import { hostReaders, mayReadHost, namesGroups } from '../access/host-readers.ts';
import type { SecretHashCache } from '../secrets/secret-hash-cache.ts';
import type { Tokens } from '../sessions/tokens.ts';
import { refusalAnswer } from './site-answers.ts';
import type { ReadyAnswer } from './site-answers.ts';

export interface GuardServices {
  readonly tokens: Pick<Tokens, 'verify' | 'verifyForSite'>;
  readonly secrets: SecretHashCache;
}

/** `open`: everybody may read the host. Otherwise it is guarded, and `refusal` says why the request is refused. */
export type Admission = 'open' | { readonly refusal: ReadyAnswer | undefined };

type Headers = Readonly<IncomingHttpHeaders>;

/** Whether a request may read a host of a site. Rule: docs/contract.md 6.4. */
export async function admit(
  { tokens, secrets }: GuardServices,
  reads: Pick<Reads, 'org'>,
  { org, site, aggregate }: StoredSite,
  { tier, headers }: { readonly tier: Tier; readonly headers: () => Headers },
): Promise<Admission> {
  const readers = hostReaders(aggregate, tier);
  if (readers === undefined) return 'open';
  const token = presentedToken(headers());
  if (token === undefined) return { refusal: NOT_AUTHENTICATED };
  if (await secrets.isOneOf({ org, site, profile: aggregate.extends?.profile }, readers.secretId, token)) return LET_IN;
  const user = (await tokens.verify(token)) ?? (await tokens.verifyForSite(token, { org, site }));
  if (user === undefined) return { refusal: TOKEN_REFUSED };
  const groups = namesGroups(readers) ? (await reads.org(org))?.config.groups : undefined;
  return mayReadHost(user, readers, { name: org, groups }, aggregate) ? LET_IN : { refusal: NOT_AUTHORIZED };
}

/** As at the service itself, but for the cookie: these hosts have none. */
function presentedToken(headers: Headers): string | undefined {
  const plain = headers['x-auth-token'];
  if (plain !== undefined) return String(plain).trim();
  return /^(?:bearer|token)\s+(\S+)\s*$/i.exec(headers.authorization ?? '')?.[1];
}

const LET_IN: Admission = { refusal: undefined };
const CHALLENGE = 'Bearer realm="repoless"';
const NOT_AUTHENTICATED = refusalAnswer(401, 'NOT_AUTHENTICATED', 'not authenticated', ['www-authenticate', CHALLENGE]);
const TOKEN_REFUSED = refusalAnswer(401, 'NOT_AUTHENTICATED', 'not authenticated', [
  'www-authenticate',
  `${CHALLENGE}, error="invalid_token"`,
]);
const NOT_AUTHORIZED = refusalAnswer(403, 'NOT_AUTHORIZED', 'not authorized');
