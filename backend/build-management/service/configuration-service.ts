import type { RepositoryLogEntry } from '@repoless/contract/audit.ts';
import { CREATE_SITE_REFUSALS } from '@repoless/contract/build-management.ts';
import { codeSentence } from '@repoless/contract/code-sentences.ts';
import { type ErrorCode, Problem } from '@repoless/contract/errors.ts';
import { PushOutcome } from '@repoless/contract/job.ts';
import { DEFAULT_REF, sanitizeRef } from '@repoless/contract/names.ts';
import { Org } from '@repoless/contract/org.ts';
import { REPOSITORY_SECRET } from '@repoless/contract/secret.ts';
import { createRemoteJWKSet, customFetch, errors, jwtVerify } from 'jose';
import { z } from 'zod';
import { Refusal } from '@repoless/contract/refusal.ts';
import { readJson } from '../../domain/documents.ts';
import { type Remote, type RemoteAnswer, RemoteFailure, remoteFetch, type RemoteRequest } from '../../remote/remote.ts';
import { ANONYMOUS, type Caller, namesOf } from '../../sessions/identity.ts';

interface ConfigurationServiceSettings {
  readonly address: string;
  readonly issuer: string;
  /** Authenticates the service's calls to build management; never shown. */
  key(): string;
}

export interface Push {
  /** The organization that owns the repository: no other one is notified. */
  readonly org: string;
  readonly programId: string;
  readonly repositoryId: string;
  readonly branch: string;
}

/** Why an event that was sent to the service reaches no site. */
export const NO_SITE = codeSentence('repositoryUnused');

/** The service did not accept an event: `isTransient` if a later attempt may succeed. */
export class ServiceProblem extends Error {
  override readonly name = 'ServiceProblem';
  readonly isTransient: boolean;

  constructor(sentence: string, isTransient: boolean) {
    super(sentence);
    this.isTransient = isTransient;
  }
}

const Claims = z.looseObject({
  email: z.string().min(1),
  name: z.string().optional(),
  preferred_username: z.string().optional(),
  user_id: z.string().optional(),
  jti: z.string().min(1),
});

export type ConfigurationService = ReturnType<typeof configurationService>;

export function configurationService(remote: Remote, settings: ConfigurationServiceSettings, now: () => Date) {
  const keys = createRemoteJWKSet(new URL(`${settings.address}/auth/discovery/keys`), { [customFetch]: remoteFetch(remote) });

  const notify = async (method: 'POST' | 'DELETE', { org, programId, repositoryId, branch }: Push): Promise<PushOutcome> => {
    const path = [programId, repositoryId, sanitizeRef(branch)].map(encodeURIComponent).join('/');
    return outcomeOf(await callAsBuildManagement(method, '/code-sync/', `${path}?${new URLSearchParams({ branch, org }).toString()}`));
  };
  const callAsBuildManagement = (method: RemoteRequest['method'], base: string, path: string, body?: unknown) =>
    sendRequest(remote, `${settings.address}${base}`, { path, method, body, headers: { authorization: `Bearer ${settings.key()}` } });
  const callAsCaller = (method: RemoteRequest['method'], path: string, token: string, body?: unknown, headers?: Record<string, string>) =>
    sendRequest(remote, `${settings.address}/config/`, { path, method, body, headers: { 'x-auth-token': token, ...headers } }).catch(
      (error: unknown) => {
        throw error instanceof ServiceProblem ? unreachable() : error;
      },
    );
  const siteOf = (org: string, site: string) => `${encodeURIComponent(org)}/sites/${encodeURIComponent(site)}`;

  return {
    /** The caller of a token, verified by the service's published keys; an invalid token is anonymous. */
    async identify(token: string): Promise<Caller> {
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
    /** The organization as its caller sees it. Refuses as the service does. */
    async organization(org: string, token: string): Promise<Org> {
      const answer = await callAsCaller('GET', `${encodeURIComponent(org)}.json`, token);
      throwIfUnauthorized(answer);
      if (answer.status === 404)
        throw new Refusal('ORG_NOT_FOUND', `The organization "${org}" is not claimed, or you have no role in it.`, { data: { org } });
      const parsed = Org.safeParse(readJson(answer.body));
      if (answer.status !== 200 || !parsed.success) throw unreachable();
      return parsed.data;
    },
    /** Refuses with SITE_NOT_FOUND if the organization has no such site; also as the service refuses the caller. */
    async requireSite(org: string, site: string, token: string): Promise<void> {
      const answer = await callAsCaller('GET', `${siteOf(org, site)}.json`, token);
      if (answer.status === 200) return;
      throwIfUnauthorized(answer);
      if (answer.status !== 404) throw unreachable();
      const sentence = `The organization ${org} has no site "${site}". Register the site first, then link the repository to it.`;
      throw new Refusal('SITE_NOT_FOUND', sentence, { data: { org, site } });
    },
    /** Registers a new site on behalf of the caller. Refuses as the service does, with its message. */
    async createSite(org: string, site: string, config: unknown, token: string): Promise<void> {
      const answer = await callAsCaller('PUT', `${siteOf(org, site)}.json`, token, config, { 'if-none-match': '*' });
      if (answer.status === 412)
        throw new Refusal('SITE_EXISTS', `The organization ${org} already has a site "${site}".`, { data: { org, site } });
      if (answer.status !== 201) throw refusalOf(answer, CREATE_SITE_REFUSALS);
    },
    /** Stores the secret of a site's repository (call 6). Refuses as the service does. */
    async setSecret(org: string, site: string, value: string, token: string): Promise<void> {
      const answer = await callAsCaller('POST', `${siteOf(org, site)}/secrets/${REPOSITORY_SECRET}.json`, token, { value });
      if (answer.status >= 300) throw refusalOf(answer, CREATE_SITE_REFUSALS);
    },
    /** Throws a ServiceProblem if the service does not accept it. */
    reportPush: (push: Push) => notify('POST', push),
    async branchDeleted(push: Push): Promise<PushOutcome> {
      if (sanitizeRef(push.branch) === DEFAULT_REF) return { jobs: [], ignored: codeSentence('mainNotRemovable', { branch: DEFAULT_REF }) };
      return await notify('DELETE', push);
    },
    /** Adds entries to the audit trail. Throws a ServiceProblem if the service did not accept them. */
    async addLogEntries(org: string, entries: readonly RepositoryLogEntry[]): Promise<void> {
      const { status } = await callAsBuildManagement('POST', '/repository-log/', encodeURIComponent(org), { entries });
      if (status === 401) throw keyRefused();
      if (status !== 204) throw new ServiceProblem(codeSentence('serviceStatus', { status }), true);
    },
  };
}

interface ServiceRequest {
  /** Relative to a base with a trailing slash, the only one that receives the credential. */
  readonly path: string;
  readonly method: RemoteRequest['method'];
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

async function sendRequest(remote: Remote, base: string, { path, method, headers, body }: ServiceRequest): Promise<RemoteAnswer> {
  const json =
    body === undefined ? { headers } : { headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) };
  try {
    return await remote.send({ url: `${base}${path}`, method, base, ...json, continuesTrace: true });
  } catch (error) {
    if (error instanceof RemoteFailure) throw new ServiceProblem(codeSentence('serviceUnresponsive'), true);
    throw error;
  }
}

function throwIfUnauthorized({ status }: RemoteAnswer): void {
  if (status === 401) throw new Refusal('NOT_AUTHENTICATED', 'not authenticated');
  if (status === 403) throw new Refusal('NOT_AUTHORIZED', 'not authorized');
}

function outcomeOf({ status, body }: RemoteAnswer): PushOutcome {
  if (status === 404) return { jobs: [], ignored: NO_SITE };
  const outcome = PushOutcome.safeParse(status < 300 ? readJson(body) : undefined);
  if (outcome.success) return outcome.data;
  if (status === 401 || status === 403) throw keyRefused();
  throw new ServiceProblem(codeSentence('serviceStatus', { status }), status >= 500 || status === 429);
}

function keyRefused(): ServiceProblem {
  return new ServiceProblem(codeSentence('serviceKeyRefused'), false);
}

function userOf({ email, name, preferred_username: preferredUsername, user_id: userId, jti }: z.infer<typeof Claims>): Caller {
  const identity = { email, ...(preferredUsername !== undefined && { preferredUsername }), ...(userId !== undefined && { userId }) };
  return { kind: 'user', email, ...(name !== undefined && { name }), names: namesOf(identity), tokenId: jti, credential: 'header' };
}

function unreachable(): Refusal {
  const message = 'The configuration service does not respond, so your permission cannot be checked. Try again in a minute.';
  return new Refusal('SERVICE_UNREACHABLE', message, { retryAfter: 30 });
}

/** Codes that mean the same here as in the service, for any call. */
const ALWAYS: readonly ErrorCode[] = [
  'NOT_AUTHENTICATED',
  'NOT_AUTHORIZED',
  'BODY_INVALID',
  'ORG_NOT_FOUND',
  'RATE_LIMITED',
  'STORAGE_FULL',
];

/** With the service's code if the call here may be refused with it. Its pointers refer to a body that the caller did not send. */
function refusalOf({ status, body }: RemoteAnswer, codes: readonly ErrorCode[]): Refusal {
  const parsed = Problem.safeParse(readJson(body));
  if (!parsed.success) return new Refusal('SERVICE_UNREACHABLE', `The configuration service returned ${status}. Try again in a minute.`);
  const { code, detail, data } = parsed.data;
  const known = [...ALWAYS, ...codes].includes(code);
  return new Refusal(known ? code : 'SERVICE_UNREACHABLE', detail, data === undefined ? {} : { data });
}
