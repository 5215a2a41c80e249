import { z } from 'zod';
import { parseJson } from './exchange.ts';

const Claims = z.looseObject({ iat: z.number().optional(), exp: z.number().optional() });

/** When a token was issued and ends (seconds since 1970), as it says itself. Without proof: for planning, never for trust. */
export function tokenClaims(token: string): z.infer<typeof Claims> | undefined {
  const claims = Claims.safeParse(parseJson(decoded(token.split('.')[1] ?? '')));
  return claims.success ? claims.data : undefined;
}

function decoded(part: string): string {
  try {
    return atob(part.replaceAll('-', '+').replaceAll('_', '/'));
  } catch {
    return '';
  }
}
