import type { Profile } from '@repoless/contract/session.ts';
import { RoleName } from '@repoless/contract/access.ts';
import { parseJson } from '@repoless/core/api/exchange.ts';
import { z } from 'zod';
import { ask, type Call, type Operation, unreadable } from './call.ts';
import { refusalOf } from './refusals.ts';

const Self = z.object({
  profile: z.looseObject({
    email: z.string().optional(),
    name: z.string().optional(),
    user_id: z.string().optional(),
    preferred_username: z.string().optional(),
    iss: z.string().optional(),
    iat: z.number().optional(),
    exp: z.number().optional(),
    ttl: z.number().optional(),
  }),
});

export const SESSION_OPERATIONS: Readonly<Record<string, Operation>> = {
  getService: async ({ options }) => ({ status: 200, body: options.info }),
  profile: async (call) => ({ status: 200, body: { status: 200, profile: await profileOf(call), links: {} } }),
};

/**
 * Who the caller is. The hosted service answers 200 for an API key even if it is not registered: its permissions show only in actual calls.
 */
async function profileOf(call: Call): Promise<Profile> {
  const { credential, options } = call;
  const answer = await ask(call, 'self', {});
  if (answer.status !== 200) throw refusalOf(answer, { org: '', credential });
  const found = Self.safeParse(parseJson(answer.text)).data?.profile;
  // What a token says about itself counts only once the hosted service has accepted it.
  if (found === undefined) throw unreadable();
  const now = Math.floor(options.now().getTime() / 1000);
  const exp = Math.floor(found.exp ?? credential?.expires ?? now);
  const common = { iss: found.iss ?? options.service, iat: Math.floor(found.iat ?? now), exp, ttl: Math.floor(found.ttl ?? exp - now) };
  if (credential?.kind === 'api-key') {
    const roles = (credential.roles ?? []).flatMap((role) => RoleName.safeParse(role).data ?? []);
    const { id = '', subject = '' } = credential;
    return { ...common, email: `api-key:${id}`, apiKey: { id, subject: subject.replace(/\/$/, '/*'), roles } };
  }
  const { name, user_id: userId, preferred_username: preferred } = found;
  return {
    ...common,
    email: found.email ?? credential?.email ?? '',
    ...(name === undefined ? {} : { name }),
    ...(userId === undefined ? {} : { user_id: userId }),
    ...(preferred === undefined ? {} : { preferred_username: preferred }),
  };
}
