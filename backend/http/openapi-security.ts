import type { Endpoint } from '@repoless/contract/endpoint.ts';
import { errorsOf } from '@repoless/contract/endpoint.ts';
import { ERRORS } from '@repoless/contract/errors.ts';
import type { JsonSchema } from './openapi-schemas.ts';

/** How a caller may be known, by the names under which the calls refer to it. */
export const SECURITY_SCHEMES = {
  token: { type: 'apiKey', in: 'header', name: 'x-auth-token', description: 'The token of /profile, or of /auth/exchange.' },
  bearer: { type: 'http', scheme: 'bearer', description: 'The same token.' },
  cookie: { type: 'apiKey', in: 'cookie', name: 'auth_token', description: 'Set by signing in; good for reads of the same origin.' },
  program: { type: 'http', scheme: 'bearer', description: 'The key that the service and build management share.' },
  repository: { type: 'apiKey', in: 'header', name: 'authorization', description: '`token` and the current secret of the repository.' },
  webhook: { type: 'apiKey', in: 'query', name: 'api_key', description: 'The key in the address of the webhook.' },
} as const;
type Scheme = keyof typeof SECURITY_SCHEMES;

const OF_PEOPLE: readonly Scheme[] = ['token', 'bearer', 'cookie'];

/**
 * Of a call that is open to anyone an empty list, which generators take as "send no credentials": not where the call may say that
 * they are missing. Where the body or the query itself is what may be refused, no scheme can be named, and nothing is said.
 */
export function securityOf(row: Endpoint, people: readonly string[]): { readonly security?: readonly JsonSchema[] } {
  const either = (schemes: readonly string[]) => ({ security: schemes.map((scheme) => ({ [scheme]: [] })) });
  const { credentials } = row;
  if (credentials === 'session') return either(OF_PEOPLE);
  if (credentials !== undefined) return either([credentials]);
  if (row.permission !== 'public') return either(people.filter((scheme) => scheme !== 'cookie' || row.method === 'GET'));
  return maySayUnknown(row) ? {} : { security: [] };
}

function maySayUnknown(row: Endpoint): boolean {
  return '401' in row.answers || errorsOf(row).some((code) => ERRORS[code].status === 401);
}
