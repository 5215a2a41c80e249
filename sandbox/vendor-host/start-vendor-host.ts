import { json, Router, urlencoded } from 'express';
import { z } from 'zod';
import { branchList, escape, link, list, page } from '../git-server/pages.ts';
import type { Branch, Repositories } from '../git-server/repositories.ts';
import { gitCall, serveGit } from '../git-server/smart-http.ts';
import { type GitHostOptions, notFound, startGitHost } from '../git-server/start-git-host.ts';
import type { Running } from '../web.ts';
import { accessOf } from './access.ts';
import { NOTHING, VendorForm } from './events.ts';
import { EventFault, type Hook, HookInput, type Hooks, openHooks, type SentEvent } from './hooks.ts';

/** The stand-in of an external git vendor: private repositories to clone and push to, and webhooks after each push. */
export function startVendorHost(options: GitHostOptions): Promise<Running> {
  return startGitHost(options, 'vendor-host', async (folder, repositories) =>
    vendorHostRoutes(folder, repositories, await openHooks(options.dataDir)),
  );
}

/** Every address of the git vendor: git's own, and pages and calls for webhooks. */
function vendorHostRoutes(folder: string, repositories: Repositories, hooks: Hooks): Router {
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
  return routes;
}

interface Place {
  readonly host: string;
  readonly team: string;
  readonly repo: string;
  readonly pusher: string;
}

/** Remembers the branches before a push. Returns a function to call after it, which sends an event for each changed branch. */
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

interface ShownRepository {
  readonly address: string;
  readonly name: string;
  readonly branches: readonly Branch[];
  readonly hooks: readonly Hook[];
  readonly sent: readonly SentEvent[];
}

/** The page for setting up a repository's webhook and seeing what was sent. Secrets are never shown again. */
function repositoryPage({ address, name, branches, hooks, sent }: ShownRepository): string {
  return page(
    name,
    `<p>Clone address: <code>${escape(`${address}.git`)}</code></p>
<h2>Branches</h2>
${branchList(branches)}
<h2>Webhooks</h2>
${list(hooks.map(({ id, form, address: to }) => `${escape(form)}: <code>${escape(withoutQuery(to))}</code> ${button(`/${name}/hooks/${id}/remove`, 'Remove')}`))}
<form method="post" action="/${escape(name)}/hooks">
<p><label>Send events as <select name="form">${VendorForm.options.map((form) => `<option>${form}</option>`).join('')}</select></label></p>
<p><label>Webhook address, with its API key <input name="address" type="url" required size="60" autocomplete="off"></label></p>
<p><label>Webhook secret <input name="secret" type="password" required size="60" autocomplete="off"></label></p>
<p><button>Add webhook</button></p>
</form>
<h2>Events sent</h2>
${list(sent.map(({ id, branch, time, status }) => `${escape(time)} ${escape(branch)}: ${status ?? 'no answer'} ${button(`/${name}/events/${id}/again`, 'Send again')}`))}`,
  );
}

function teamsPage(repositories: readonly string[]): string {
  return page('Git vendor', list(repositories.map((name) => link(`/${name}`, name))));
}

function button(action: string, text: string): string {
  return `<form method="post" action="${escape(action)}" style="display: inline"><button>${text}</button></form>`;
}

function withoutQuery(address: string): string {
  return address.split('?')[0] ?? '';
}
