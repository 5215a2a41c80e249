import express, { type Request, type Response, Router } from 'express';
import { join } from 'node:path';
import { faultSwitch } from '../faults.ts';
import { type Branch, makeRepositories, type Repositories, repositoriesIn } from '../git-server/repositories.ts';
import { gitCall, serveGit } from '../git-server/smart-http.ts';
import { accountByEmail, PASSWORD } from '../identity-provider/accounts.ts';
import { listen, type Running } from '../web.ts';

export interface CodeHostOptions {
  readonly port: number;
  /** Folder of the repositories; created in a new folder. */
  readonly dataDir: string;
}

/** The stand-in of the code host: git itself serves and receives the repositories; in addition there are an API and raw files. */
export async function startCodeHost(options: CodeHostOptions): Promise<Running> {
  const folder = join(options.dataDir, 'repositories');
  await makeRepositories('code-host', folder);
  const faults = faultSwitch();
  const app = express();
  app.disable('x-powered-by').disable('etag');
  app.use((request, response, next) => faults.stand(request, response, next));
  app.use(codeHostRoutes(folder, repositoriesIn(folder)));
  const running = await listen(options.port, app);
  return {
    address: running.address,
    stop: async () => {
      faults.stop();
      await running.stop();
    },
  };
}

/** Every address of the code host: git's own, the API, raw files, and pages for people. */
function codeHostRoutes(folder: string, repositories: Repositories): Router {
  const routes = Router();
  routes.use(async (request, response, next) => {
    const call = gitCall(request.originalUrl);
    if (call === undefined) return next();
    const found = await repositories.find(call.org, call.repo);
    if (found === undefined) return void notFound(response);
    const account = accountOf(request.headers.authorization);
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
    response.type('html').send(
      linksPage(
        'Code host',
        orgs.map((org) => ({ text: org, address: `/${org}` })),
      ),
    );
  });
  routes.get('/:org', async (request, response) => {
    const { org } = request.params;
    const known = await repositories.inOrganization(org);
    if (known === undefined) return void notFound(response);
    response.type('html').send(
      linksPage(
        org,
        known.map((repo) => ({ text: repo, address: `/${org}/${repo}` })),
      ),
    );
  });
  routes.get('/:org/:repo', (request, response) => showRepository(repositories, request, response));
  routes.use((_request, response) => notFound(response));
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

function notFound(response: Response): void {
  response.status(404).type('text').send('404: Not Found\n');
}

/** Who may push to an organization's repositories. */
const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  wknd: ['ada.admin@example.com', 'otto.org@example.com', 'carl.config@example.com'],
  acme: ['ada.admin@example.com', 'nora.neighbour@example.com'],
};

/** The account of an `authorization: Basic …` header; undefined if there is none or the password is wrong. */
function accountOf(authorization: string | undefined): string | undefined {
  const encoded = /^Basic (\S+)$/i.exec(authorization ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString();
  const colon = text.indexOf(':');
  return colon > 0 && text.slice(colon + 1) === PASSWORD ? accountByEmail(text.slice(0, colon))?.email : undefined;
}

function mayPush(email: string, org: string): boolean {
  return MEMBERS[org]?.includes(email) === true;
}

/** A plain page with links, for people who open the code host in a browser. */
function linksPage(title: string, links: readonly { readonly text: string; readonly address: string }[]): string {
  return page(title, list(links));
}

function repositoryPage(org: string, repo: string, address: string, branches: readonly Branch[], files: readonly string[]): string {
  const name = `${org}/${repo}`;
  return page(
    name,
    `<p>Clone it: <code>git clone ${escape(`${address}/${name}`)}</code></p>
<h2>Branches</h2>
<ul>${branches.map(({ name: branch, commit }) => `<li>${escape(branch)} <code>${commit.slice(0, 12)}</code></li>`).join('')}</ul>
<h2>Files on main</h2>
${list(files.map((path) => ({ text: path, address: `/raw/${name}/main/${path}` })))}`,
  );
}

function list(links: readonly { readonly text: string; readonly address: string }[]): string {
  return `<ul>${links.map(({ text, address }) => `<li><a href="${escape(encodeURI(address))}">${escape(text)}</a></li>`).join('')}</ul>`;
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
