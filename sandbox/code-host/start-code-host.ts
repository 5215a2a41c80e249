import { type Request, type Response, Router } from 'express';
import {
  branchList,
  escape,
  link,
  list,
  page,
  gitCall,
  serveGit,
  basicCredentials,
  type GitHostOptions,
  notFound,
  startGitHost,
} from '../git-server/start-git-host.ts';
import type { Branch, Repositories } from '../git-server/repositories.ts';
import type { Running } from '../web.ts';

/** The stand-in of the code host: git itself serves and receives the repositories; in addition there are an API and raw files. */
export function startCodeHost(options: GitHostOptions): Promise<Running> {
  return startGitHost(options, 'code-host', codeHostRoutes);
}

/** Every address of the code host: git's own, the API, raw files, and pages for people. */
function codeHostRoutes(folder: string, repositories: Repositories): Router {
  const routes = Router();
  routes.use(async (request, response, next) => {
    const call = gitCall(request.originalUrl);
    if (call === undefined) return next();
    const found = await repositories.find(call.org, call.repo);
    if (found === undefined) return void notFound(response);
    const account = basicCredentials(request.headers.authorization)?.account;
    if (call.pushes && account === undefined) {
      response.status(401).set('www-authenticate', 'Basic realm="Code host"').send('Sign in to push.\n');
      return;
    }
    if (call.pushes && account !== undefined && !mayPush(account, found.org)) {
      response.status(403).send(`${account} may not push to ${found.org}.\n`);
      return;
    }
    serveGit(folder, { ...call, ...found }, call.pushes ? account : undefined, request, response);
  });

  routes.get('/api/orgs/:org', async (request, response) => {
    const org = request.params.org.toLowerCase();
    const known = await repositories.inOrganization(org);
    if (known === undefined) return void response.status(404).json({ message: 'Not Found', status: '404' });
    const address = `${request.protocol}://${request.get('host') ?? ''}`;
    response.json({
      login: org,
      type: 'Organization',
      url: `${address}/api/orgs/${org}`,
      html_url: `${address}/${org}`,
      public_repos: known.length,
    });
  });

  routes.get('/raw/:org/:repo/:branch/*path', async (request, response) => {
    const { org, repo, branch, path } = request.params;
    // Like hosts of raw files: readable from every origin, including the 404, and never with a type that a browser would run.
    response.set({ 'access-control-allow-origin': '*', 'x-content-type-options': 'nosniff' });
    const file = await repositories.file(org, repo, branch, path.join('/'));
    if (file === undefined) return void notFound(response);
    response.set('content-type', 'text/plain; charset=utf-8');
    response.send(file);
  });

  routes.get('/', async (_request, response) => {
    const orgs = await repositories.organizations();
    response.type('html').send(page('Code host', list(orgs.map((org) => link(`/${org}`, org)))));
  });
  routes.get('/:org', async (request, response) => {
    const { org } = request.params;
    const known = await repositories.inOrganization(org);
    if (known === undefined) return void notFound(response);
    response.type('html').send(page(org, list(known.map((repo) => link(`/${org}/${repo}`, repo)))));
  });
  routes.get('/:org/:repo', (request, response) => showRepository(repositories, request, response));
  return routes;
}

async function showRepository(
  repositories: Repositories,
  request: Request<{ org: string; repo: string }>,
  response: Response,
): Promise<void> {
  const { org } = request.params;
  const repo = request.params.repo.replace(/\.git$/, '');
  const branches = await repositories.branches(org, repo);
  if (branches === undefined) return notFound(response);
  const files = (await repositories.files(org, repo, 'main')) ?? [];
  response.type('html').send(repositoryPage(org, repo, `${request.protocol}://${request.get('host') ?? ''}`, branches, files));
}

/** Who may push to an organization's repositories. */
const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  wknd: ['ada.admin@example.com', 'otto.org@example.com', 'carl.config@example.com'],
  acme: ['ada.admin@example.com', 'nora.neighbour@example.com'],
};

function mayPush(email: string, org: string): boolean {
  return MEMBERS[org]?.includes(email) === true;
}

function repositoryPage(org: string, repo: string, address: string, branches: readonly Branch[], files: readonly string[]): string {
  const name = `${org}/${repo}`;
  return page(
    name,
    `<p>Clone it: <code>git clone ${escape(`${address}/${name}`)}</code></p>
<h2>Branches</h2>
${branchList(branches)}
<h2>Files on main</h2>
${list(files.map((path) => link(`/raw/${name}/main/${path}`, path)))}`,
  );
}
