import { LIMITS } from '#contract/limits.ts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { hostedGitEndpoints } from '#contract/hosted-git-endpoints.ts';
import { ANONYMOUS } from '#backend/domain/caller.ts';
import { Refusal } from '#backend/domain/errors.ts';
import { methodNotAllowed } from '#backend/http/method-not-allowed.ts';
import type { RateLimit } from '#backend/http/rate-limit.ts';
import type { Services } from '../context.ts';
import type { GitRef } from '../git/mirrors.ts';
import { isSecretOf } from '../links/link-secret.ts';
import { accessTokenOf } from '../repositories/sealed-texts.ts';
import type { StoredRepository } from '../store/stored-repository.ts';
import { newDelivery } from '../webhooks/receive-webhook.ts';
import { beginDelivery } from '../webhooks/run-delivery.ts';
import { serveGit } from './http-backend.ts';
import type { GitService } from './http-backend.ts';
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
    const asked = service === '/info/refs' ? askedService(query) : '';
    const own = clients.get(org) ?? 0;
    if (own >= LIMITS.gitClientsOfOrg || [...clients.values()].reduce((sum, count) => sum + count, 0) >= LIMITS.gitClients)
      throw new Refusal('GIT_BUSY', 'Too many git clients are served at this moment. Try again in a few seconds.', { retryAfter: 5 });
    clients.set(org, own + 1);
    const { signal } = services.background;
    const { gitTimeout, repositoryLimit } = services.rules;
    const serve = async (room: number) => {
      const bounded = anySignal(signal, AbortSignal.timeout(gitTimeout));
      const exchange = { folder: services.hosted.folder, key: repository.key, service, query: asked, room, signal: bounded };
      if (!(await serveGit(exchange, request, response)) && !response.destroyed) throw new Error('git http-backend did not respond.');
    };
    try {
      // While a push waits for its turn its repository may be removed, or its token revoked.
      const pushed = async () => {
        const present = await admit();
        await push(services, present, repositoryLimit, serve).finally(() => removeIfGone(services, present));
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

/**
 * A push, and the event of it: kept before the push is acknowledged, and also where the client went away meanwhile. Refuses with
 * OVERLOADED, before anything of it is taken, where too many events of the organization wait.
 */
async function push(
  services: Services,
  repository: StoredRepository,
  limit: number,
  serve: (room: number) => Promise<void>,
): Promise<void> {
  const branches = () => services.hosted.branches(repository, accessTokenOf(services, repository));
  let unused: (() => void) | undefined = services.events.enter(repository.org);
  try {
    const used = await services.hosted.beforePush(repository);
    const before = await branches();
    try {
      await serve(Math.max(limit - used, 1));
    } finally {
      const changes = changesOf(before, await branches());
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

/** What a push wrote after its repository was removed is removed, too. */
async function removeIfGone({ store, hosted }: Services, repository: StoredRepository): Promise<void> {
  if ((await store.repositories.byKey(repository.key)) === undefined) await hosted.remove(repository);
}

function changesOf(before: readonly GitRef[], after: readonly GitRef[]) {
  const had = new Map(before.map(({ name, commit }) => [name, commit]));
  const has = new Set(after.map(({ name }) => name));
  return [
    ...after
      .filter(({ name, commit }) => had.get(name) !== commit)
      .map((ref) => ({ branch: ref.name, type: 'updated' as const, commit: ref.commit })),
    ...before.filter(({ name }) => !has.has(name)).map(({ name }) => ({ branch: name, type: 'deleted' as const })),
  ];
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

function askedService(query: string): string {
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

const SERVICES: readonly GitService[] = ['/info/refs', '/git-upload-pack', '/git-receive-pack'];
