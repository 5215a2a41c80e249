import { z } from 'zod';

const Discovery = z.object({ authorization_endpoint: z.url(), token_endpoint: z.url() });

/** Where the identity provider signs people in and hands out tokens (OpenID Connect discovery). */
export async function identityEndpoints(identity: string): Promise<{ authorization: string; token: string }> {
  const answer = await fetch(`${identity}/.well-known/openid-configuration`);
  if (!answer.ok) throw new Error(`The identity provider answers ${answer.status} to discovery.`);
  const discovered = Discovery.parse(await answer.json());
  return { authorization: discovered.authorization_endpoint, token: discovered.token_endpoint };
}
