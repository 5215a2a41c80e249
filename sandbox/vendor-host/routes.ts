import { json, type Response, Router, urlencoded } from 'express';
import { z } from 'zod';
import type { Branch, Repositories } from '../git-server/read-repositories.ts';
import { gitCall, serveGit } from '../git-server/smart-http.ts';
import { accessOf } from './access.ts';
import { NOTHING } from './events/pushed.ts';
import { EventFault, HookInput, type Hooks } from './hooks.ts';
import { repositoryPage, teamsPage } from './pages.ts';

/** Every address of the git vendor: git's own, and pages and calls on webhooks. */
export function vendorHostRoutes(folder: string, repositories: Repositories, hooks: Hooks): Router {
  const routes = Router();
  routes.use(async (request, response, next) => {
    const call = gitCall(request.originalUrl);
    if (call === undefined) return next();
    const [team, repo] = [call.org, call.repo];
    const { mayRead, mayPush, account } = accessOf(request.headers.authorization, team, repo);
    const isKnown = await repositories.has(team, repo);
    // A private repository is hidden from those who may not read it; without credentials, a sign-in is requested first.
    if (!mayRead || (call.pushes && account === undefined)) {
      return void response.status(401).set('www-authenticate', 'Basic realm="Git vendor"').send('Sign in.\n');
    }
    if (!isKnown) return void notFound(response);
    if (call.pushes && !mayPush) return void response.status(403).send(`${account ?? ''} may not push to ${team}.\n`);
    if (call.service === '/git-receive-pack') {
      const host = `${request.protocol}://${request.get('host') ?? ''}`;
      const afterwards = await watchPush(repositories, hooks, { host, team, repo, pusher: account ?? '' });
      response.once('close', () => void afterwards());
    }
    serveGit(folder, call, call.pushes ? account : undefined, request, response);
  });

  routes.use(json(), urlencoded({ extended: false }));
  routes.post('/sandbox/events', (request, response) => {
    const wanted = z.object({ mode: EventFault }).safeParse(request.body);
    if (!wanted.success) return void response.status(400).json({ error: `Send {"mode": one of ${EventFault.options.join(', ')}}.` });
    hooks.fault = wanted.data.mode;
    response.json({ mode: hooks.fault });
  });
  routes.get('/sandbox/events', (_request, response) => void response.json({ mode: hooks.fault }));

  routes.get('/', async (_request, response) => {
    const names = await Promise.all(
      (await repositories.organizations()).map(async (team) =>
        ((await repositories.inOrganization(team)) ?? []).map((repo) => `${team}/${repo}`),
      ),
    );
    response.type('html').send(teamsPage(names.flat()));
  });
  routes.get('/:team/:repo', async (request, response) => {
    const { team, repo } = request.params;
    const branches = await repositories.branches(team, repo);
    if (branches === undefined) return void notFound(response);
    const name = `${team}/${repo}`;
    const address = `${request.protocol}://${request.get('host') ?? ''}/${name}`;
    response.type('html').send(repositoryPage({ address, name, branches, hooks: hooks.of(team, repo), sent: hooks.sent(team, repo) }));
  });
  routes.post('/:team/:repo/hooks', async (request, response) => {
    const { team, repo } = request.params;
    const input = HookInput.safeParse(request.body);
    if (!(await repositories.has(team, repo))) return void notFound(response);
    if (!input.success) return void response.status(400).type('text').send('Fill in form, address and secret.\n');
    await hooks.add(team, repo, input.data);
    response.redirect(303, `/${team}/${repo}`);
  });
  routes.post('/:team/:repo/hooks/:id/remove', async (request, response) => {
    await hooks.remove(request.params.id);
    response.redirect(303, `/${request.params.team}/${request.params.repo}`);
  });
  routes.get('/:team/:repo/events', (request, response) => {
    response.json({ events: hooks.sent(request.params.team, request.params.repo) });
  });
  routes.post('/:team/:repo/events/:id/again', async (request, response) => {
    if (!(await hooks.again(request.params.id))) return void notFound(response);
    response.redirect(303, `/${request.params.team}/${request.params.repo}`);
  });
  routes.use((_request, response) => notFound(response));
  return routes;
}

function notFound(response: Response): void {
  response.status(404).type('text').send('404: Not Found\n');
}

interface Place {
  readonly host: string;
  readonly team: string;
  readonly repo: string;
  readonly pusher: string;
}

/** Remembers the branches before a push. Out: to be called after it; sends an event for each branch that changed. */
async function watchPush(repositories: Repositories, hooks: Hooks, place: Place): Promise<() => Promise<void>> {
  const read = async () => (await repositories.branches(place.team, place.repo)) ?? [];
  const before = await read();
  return async () => {
    for (const change of changes(before, await read())) await hooks.push({ ...place, ...change });
  };
}

function changes(before: readonly Branch[], after: readonly Branch[]): { branch: string; before: string; after: string }[] {
  const [old, now] = [before, after].map((branches) => new Map(branches.map(({ name, commit }) => [name, commit])));
  const names = new Set([...before, ...after].map(({ name }) => name));
  return [...names]
    .map((branch) => ({ branch, before: old?.get(branch) ?? NOTHING, after: now?.get(branch) ?? NOTHING }))
    .filter((change) => change.before !== change.after);
}
