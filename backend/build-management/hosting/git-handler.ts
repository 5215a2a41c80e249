import { LIMITS } from '#contract/limits.ts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { BranchChange } from '#contract/build-management-deliveries.ts';
import { hostedGitEndpoints } from '#contract/hosted-git-endpoints.ts';
import { ANONYMOUS } from '#backend/domain/caller.ts';
import { Refusal } from '#backend/domain/errors.ts';
import { methodNotAllowed } from '#backend/http/method-not-allowed.ts';
import type { RateLimit } from '#backend/http/rate-limit.ts';
import type { Services } from '../context.ts';
import { isSecretOf } from '../links/link-secret.ts';
import type { StoredRepository } from '../store/stored-repository.ts';
import { newDelivery } from '../webhooks/receive-webhook.ts';
import { beginDelivery } from '../webhooks/run-delivery.ts';
import { serveGit } from './http-backend.ts';
import type { GitExchange, GitService } from './http-backend.ts';
import { readPushHead } from './push-commands.ts';
import type { PushHead } from './push-commands.ts';
import { refusePush } from './refuse-push.ts';
import { anySignal } from '#backend/git/any-signal.ts';

/** Answers a request of a git client. Out: false where it is none. Rejects with a Refusal before anything is answered. */
export type GitHandler = (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;

/**
 * Git's smart HTTP protocol at the repositories that are hosted here. Order of defence: address, method, rate, access token,
 * room; what follows is git's own. Pushes to one repository come one after the other.
 */
export function createGitHandler(services: Services, rateLimit: RateLimit): GitHandler {
  const pushes = new Map<string, Promise<unknown>>();
  const clients = new Map<string, number>();

  /** Runs a push of a repository after those before it. */
  const inTurn = async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const before = pushes.get(key);
    const turn = (before ?? Promise.resolve()).then(work, work);
    pushes.set(key, turn);
    return await turn.finally(() => {
      if (pushes.get(key) === turn) pushes.delete(key);
    });
  };

  return async (request, response) => {
    const call = gitCall(request.url ?? '');
    if (call === undefined) return false;
    const { org, name, service, query } = call;
    const method = service === '/info/refs' ? 'GET' : 'POST';
    if (request.method !== method) throw methodNotAllowed(response, `${method}, OPTIONS`);
    rateLimit(ANONYMOUS, request, response);
    const admit = async () => admitted(await services.store.repositories.hosted(org, name), request.headers.authorization);
    const repository = await admit();
    const requested = service === '/info/refs' ? requestedService(query) : '';
    const own = clients.get(org) ?? 0;
    if (own >= LIMITS.gitClientsOfOrg || [...clients.values()].reduce((sum, count) => sum + count, 0) >= LIMITS.gitClients)
      throw new Refusal('GIT_BUSY', 'Too many git clients are being served right now. Try again in a few seconds.', { retryAfter: 5 });
    clients.set(org, own + 1);
    const { signal } = services.background;
    const { gitTimeout, repositoryLimit } = services.rules;
    const serve = async (sizeLimit: number, input?: GitExchange['input']) => {
      const bounded = anySignal(signal, AbortSignal.timeout(gitTimeout));
      const exchange = {
        folder: services.hosted.folder,
        key: repository.key,
        service,
        query: requested,
        sizeLimit,
        signal: bounded,
        ...(input !== undefined && { input }),
      };
      if (!(await serveGit(exchange, request, response)) && !response.destroyed) throw new Error('git http-backend did not respond.');
    };
    try {
      // While a push waits for its turn its repository may be removed, or its token revoked.
      const pushed = async () => {
        const present = await admit();
        await push(services, present, { limit: repositoryLimit, request, response, serve }).finally(() => removeIfGone(services, present));
      };
      await (service === '/git-receive-pack' ? inTurn(repository.key, pushed) : serve(repositoryLimit));
      response.end();
    } catch (error) {
      await admit();
      throw error;
    } finally {
      const left = (clients.get(org) ?? 1) - 1;
      if (left === 0) clients.delete(org);
      else clients.set(org, left);
    }
    return true;
  };
}

interface PushCall {
  /** Bytes of a repository. */
  readonly limit: number;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  serve(sizeLimit: number, input: NonNullable<GitExchange['input']>): Promise<void>;
}

/**
 * A push, and the event of it: kept before the push is acknowledged, and also where the client went away meanwhile. Refuses with
 * OVERLOADED, before anything of it is taken, where too many events of the organization wait. A push after which the repository had too
 * many references is refused as git does it.
 */
async function push(services: Services, repository: StoredRepository, { limit, request, response, serve }: PushCall): Promise<void> {
  let unused: (() => void) | undefined = services.events.enter(repository.org);
  try {
    const used = await services.hosted.beforePush(repository);
    const rest = decoded(request);
    const head = await readPushHead(rest);
    const names = new Set(head.commands.map(({ ref }) => ref));
    const before = await services.hosted.refs(repository, names);
    if (head.isTruncated || hasTooMany(before, head)) {
      // Who sends does not read yet.
      rest.resume();
      await finished(rest).catch(() => undefined);
      return void refusePush(response, head, TOO_MANY, 'too many references');
    }
    try {
      await serve(Math.max(limit - used, 1), { first: head.bytes, rest });
    } finally {
      const changes = changesOf(before.commits, names.size === 0 ? new Map() : (await services.hosted.refs(repository, names)).commits);
      if (changes.length > 0) {
        const delivery = { ...newDelivery(services, 'push'), changes };
        await services.store.deliveries.add(repository.id, delivery);
        beginDelivery(services, repository, delivery, unused);
        unused = undefined;
      }
    }
  } finally {
    unused?.();
  }
  await services.hosted.afterPush(repository);
}

/** Clients may compress what they send; a body that is none breaks off as one that is incomplete. */
function decoded(request: IncomingMessage): Readable {
  if (!/^(?:x-)?gzip$/.test(request.headers['content-encoding'] ?? '')) return request;
  const plain = createGunzip();
  pipeline(request, plain, () => undefined);
  return plain;
}

/** A push that leaves fewer than there were is taken, so that a repository that has too many can be cleaned up. */
function hasTooMany({ count, commits }: { count: number; commits: ReadonlyMap<string, string> }, { commands }: PushHead): boolean {
  const deleted = commands.filter(({ ref, isDeletion }) => isDeletion && commits.has(ref)).length;
  const created = commands.filter(({ ref, isDeletion }) => !isDeletion && !commits.has(ref)).length;
  const after = count - deleted + created;
  return after > count && after > LIMITS.hostedRefs;
}

/** What a push wrote after its repository was removed is removed, too. */
async function removeIfGone({ store, hosted }: Services, repository: StoredRepository): Promise<void> {
  if ((await store.repositories.byKey(repository.key)) === undefined) await hosted.remove(repository);
}

/** What became of the branches among the references that a push named. */
function changesOf(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): BranchChange[] {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((ref) => {
    const branch = /^refs\/heads\/(.+)$/s.exec(ref)?.[1];
    const commit = after.get(ref);
    if (branch === undefined || commit === before.get(ref)) return [];
    return [commit === undefined ? { branch, type: 'deleted' } : { branch, type: 'updated', commit }];
  });
}

/** Whether there is such a repository is told to the holder of its access token alone. */
function admitted(repository: StoredRepository | undefined, authorization: string | undefined): StoredRepository {
  const basic = /^basic\s+([A-Za-z0-9+/=]+)\s*$/i.exec(authorization ?? '')?.[1];
  const shown = basic === undefined ? undefined : Buffer.from(basic, 'base64').toString();
  const token = shown?.slice(shown.indexOf(':') + 1);
  const hash = repository?.gitTokenHash;
  if (repository !== undefined && token !== undefined && hash !== undefined && isSecretOf(token, hash)) return repository;
  throw new Refusal('GIT_TOKEN_REFUSED', 'Sign in with the user name "git" and the access token of the repository as the password.');
}

function requestedService(query: string): string {
  const parsed = hostedGitEndpoints.gitRefs.query.safeParse({ service: new URLSearchParams(query).get('service') });
  if (!parsed.success) throw new Refusal('QUERY_INVALID', 'Use a git client that speaks the smart HTTP protocol.');
  return `service=${parsed.data.service}`;
}

function gitCall(url: string): { org: string; name: string; service: GitService; query: string } | undefined {
  const mark = url.indexOf('?');
  const [path, query] = mark < 0 ? [url, ''] : [url.slice(0, mark), url.slice(mark + 1)];
  const [, org, name, rest] = /^\/git\/([a-z0-9-]+)\/([a-z0-9._-]{1,100})\.git(\/[a-z-]+(?:\/refs)?)$/.exec(path) ?? [];
  const service = SERVICES.find((one) => one === rest);
  return org === undefined || name === undefined || service === undefined ? undefined : { org, name, service, query };
}

const TOO_MANY = `A hosted repository has at most ${LIMITS.hostedRefs} branches and tags. Nothing was changed. Delete unneeded ones, or push fewer.`;
const SERVICES: readonly GitService[] = ['/info/refs', '/git-upload-pack', '/git-receive-pack'];
