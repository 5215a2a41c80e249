import { createRemoteJWKSet, customFetch, errors, jwtVerify } from 'jose';
import { z } from 'zod';
import { DEFAULT_REF, sanitizeRef } from '#contract/names.ts';
import { PushOutcome } from '#contract/job.ts';
import { Org } from '#contract/org.ts';
import { ANONYMOUS } from '#backend/domain/caller.ts';
import type { Caller } from '#backend/domain/caller.ts';
import { Refusal } from '#backend/domain/errors.ts';
import { namesOf } from '#backend/domain/sessions/identity.ts';
import { RemoteFailure } from '#backend/remote/remote.ts';
import type { Remote, RemoteAnswer, RemoteRequest } from '#backend/remote/remote.ts';
import { remoteFetch } from '#backend/remote/remote-fetch.ts';

export interface ConfigurationServiceSettings {
  readonly address: string;
  readonly issuer: string;
  /** Shown to the service's calls for build management; used here and told to nobody. */
  key(): string;
}

export interface Push {
  readonly programId: string;
  readonly repositoryId: string;
  readonly branch: string;
}

/** The configuration service, reached by its public calls and the two that are for build management. */
export interface ConfigurationService {
  /** Who a token stands for, by the keys that the service publishes; a broken one stands for nobody. */
  identify(token: string): Promise<Caller>;
  /** The organization as its caller sees it. Refuses as the service does. */
  organization(org: string, token: string): Promise<Org>;
  /** Throws a ServiceProblem where the service does not take it. */
  pushed(push: Push): Promise<PushOutcome>;
  branchDeleted(push: Push): Promise<PushOutcome>;
}

/** The service did not take an event: `passing` where a later attempt may succeed. */
export class ServiceProblem extends Error {
  override readonly name = 'ServiceProblem';
  readonly passing: boolean;

  constructor(sentence: string, passing: boolean) {
    super(sentence);
    this.passing = passing;
  }
}

const Claims = z.looseObject({
  email: z.string().min(1),
  name: z.string().optional(),
  preferred_username: z.string().optional(),
  user_id: z.string().optional(),
  jti: z.string().min(1),
});

export function configurationService(remote: Remote, settings: ConfigurationServiceSettings, now: () => Date): ConfigurationService {
  const keys = createRemoteJWKSet(new URL(`${settings.address}/auth/discovery/keys`), { [customFetch]: remoteFetch(remote) });

  async function tell(method: 'POST' | 'DELETE', { programId, repositoryId, branch }: Push): Promise<PushOutcome> {
    const path = [programId, repositoryId, sanitizeRef(branch)].map(encodeURIComponent).join('/');
    const url = `${settings.address}/code-sync/${path}?branch=${encodeURIComponent(branch)}`;
    const answer = await sent(remote, { url, method, headers: { authorization: `Bearer ${settings.key()}` } });
    return outcomeOf(answer);
  }

  return {
    async identify(token) {
      if (!/^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)) return ANONYMOUS;
      try {
        const options = { issuer: settings.issuer, audience: settings.issuer, requiredClaims: ['exp', 'iat', 'jti'], currentDate: now() };
        const { payload } = await jwtVerify(token, keys, options);
        return userOf(Claims.parse(payload));
      } catch (error) {
        if (error instanceof RemoteFailure || error instanceof errors.JWKSTimeout) throw unreachable();
        return ANONYMOUS;
      }
    },
    async organization(org, token) {
      const answer = await sent(remote, {
        url: `${settings.address}/config/${encodeURIComponent(org)}.json`,
        method: 'GET',
        headers: { 'x-auth-token': token },
      }).catch((error: unknown) => {
        throw error instanceof ServiceProblem ? unreachable() : error;
      });
      if (answer.status === 401) throw new Refusal('NOT_AUTHENTICATED', 'not authenticated');
      if (answer.status === 403) throw new Refusal('NOT_AUTHORIZED', 'not authorized');
      if (answer.status === 404) throw new Refusal('ORG_NOT_FOUND', `There is no organization "${org}". Claim it first.`);
      const read = Org.safeParse(readJson(answer.body));
      if (answer.status !== 200 || !read.success) throw unreachable();
      return read.data;
    },
    pushed: (push) => tell('POST', push),
    async branchDeleted(push) {
      if (sanitizeRef(push.branch) === DEFAULT_REF) return { jobs: [], ignored: `The code of "${DEFAULT_REF}" is never removed.` };
      return await tell('DELETE', push);
    },
  };
}

async function sent(remote: Remote, request: RemoteRequest): Promise<RemoteAnswer> {
  try {
    return await remote.send(request);
  } catch (error) {
    if (error instanceof RemoteFailure) throw new ServiceProblem('The configuration service does not answer.', true);
    throw error;
  }
}

function outcomeOf({ status, body }: RemoteAnswer): PushOutcome {
  if (status === 404) return { jobs: [], ignored: 'No site uses this repository yet. Register one that does.' };
  const outcome = PushOutcome.safeParse(status < 300 ? readJson(body) : undefined);
  if (outcome.success) return outcome.data;
  if (status === 401 || status === 403) {
    const sentence = 'The configuration service does not know build management. Set the same BUILD_MANAGEMENT_KEY at both.';
    throw new ServiceProblem(sentence, false);
  }
  throw new ServiceProblem(`The configuration service answered ${status}.`, status >= 500 || status === 429);
}

function userOf({ email, name, preferred_username: preferredUsername, user_id: userId, jti }: z.infer<typeof Claims>): Caller {
  const identity = { email, ...(preferredUsername !== undefined && { preferredUsername }), ...(userId !== undefined && { userId }) };
  return { kind: 'user', email, ...(name !== undefined && { name }), names: namesOf(identity), tokenId: jti, credential: 'header' };
}

function unreachable(): Refusal {
  return new Refusal('SERVICE_UNREACHABLE', 'The configuration service does not answer, so nobody can be let in. Try again in a minute.', {
    retryAfter: 30,
  });
}

function readJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
}
