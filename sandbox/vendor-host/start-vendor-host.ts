import express, { json, type Response, Router, urlencoded } from 'express';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { faultSwitch } from '../faults.ts';
import { type Branch, makeRepositories, type Repositories, repositoriesIn } from '../git-server/repositories.ts';
import { gitCall, serveGit } from '../git-server/smart-http.ts';
import { listen, type Running } from '../web.ts';
import { accessOf } from './access.ts';
import { NOTHING, VendorForm } from './events.ts';
import { EventFault, type Hook, HookInput, type Hooks, openHooks, type SentEvent } from './hooks.ts';

export interface VendorHostOptions {
  readonly port: number;
  /** Folder of the repositories and their webhooks. */
  readonly dataDir: string;
}

/** The stand-in of an external git vendor: private repositories to clone and push to, and webhooks after each push. */
export async function startVendorHost(options: VendorHostOptions): Promise<Running> {
  const folder = join(options.dataDir, 'repositories');
  await mkdir(folder, { recursive: true });
  await makeRepositories('vendor-host', folder);
  const hooks = await openHooks(options.dataDir);
  const faults = faultSwitch();
  const app = express();
  app.disable('x-powered-by').disable('etag');
  app.use((request, response, next) => faults.stand(request, response, next));
  app.use(vendorHostRoutes(folder, repositoriesIn(folder), hooks));
  const running = await listen(options.port, app);
  return {
    address: running.address,
    stop: async () => {
      faults.stop();
      await running.stop();
    },
  };
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
${list(branches.map((branch) => `${escape(branch.name)} <code>${branch.commit.slice(0, 12)}</code>`))}
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
  return page('Git vendor', list(repositories.map((name) => `<a href="/${escape(name)}">${escape(name)}</a>`)));
}

function button(action: string, text: string): string {
  return `<form method="post" action="${escape(action)}" style="display: inline"><button>${text}</button></form>`;
}

function list(items: readonly string[]): string {
  return items.length === 0 ? '<p>None.</p>' : `<ul>${items.map((item) => `<li>${item}</li>`).join('')}</ul>`;
}

function withoutQuery(address: string): string {
  return address.split('?')[0] ?? '';
}

function page(title: string, body: string): string {
  return `<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><title>${escape(title)}</title></head>
<body style="font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem">
<h1>${escape(title)}</h1>
${body}
</body>
</html>
`;
}

function escape(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
