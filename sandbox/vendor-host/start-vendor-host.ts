import { json, Router, urlencoded } from 'express';
import { z } from 'zod';
import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  branchList,
  escape,
  link,
  list,
  page,
  gitCall,
  serveGit,
  type GitHostOptions,
  notFound,
  startGitHost,
  basicCredentials,
} from '../git-server/start-git-host.ts';
import type { Branch, Repositories } from '../git-server/repositories.ts';
import type { Running } from '../web.ts';
import { NOTHING, VendorForm, type Pushed, type SignedEvent, signedPush } from './events.ts';

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
    const parsed = z.object({ mode: EventFault }).safeParse(request.body);
    if (!parsed.success) return void response.status(400).json({ error: `Send {"mode": one of ${EventFault.options.join(', ')}}.` });
    hooks.fault = parsed.data.mode;
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
    if (!(await hooks.resend(request.params.id))) return void notFound(response);
    response.redirect(303, `/${request.params.team}/${request.params.repo}`);
  });
  return routes;
}

interface VendorRepository {
  readonly host: string;
  readonly team: string;
  readonly repo: string;
  readonly pusher: string;
}

/** Remembers the branches before a push. Returns a function to call after it, which sends an event for each changed branch. */
async function watchPush(repositories: Repositories, hooks: Hooks, repository: VendorRepository): Promise<() => Promise<void>> {
  const read = async () => (await repositories.branches(repository.team, repository.repo)) ?? [];
  const before = await read();
  return async () => {
    for (const change of changes(before, await read())) await hooks.push({ ...repository, ...change });
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

/** The webhook settings of a repository at the vendor. */
const HookInput = z.object({
  form: VendorForm,
  address: z.url({ protocol: /^https?$/ }),
  secret: z.string().min(1),
  username: z.string().default('webhook'),
});
const Hook = HookInput.extend({ id: z.string(), team: z.string(), repo: z.string() });
type Hook = z.infer<typeof Hook>;

/** What happens to events: sent correctly, with a wrong signature, twice, or not at all. */
const EventFault = z.enum(['none', 'wrong-signature', 'twice', 'lost']);
type EventFault = z.infer<typeof EventFault>;

interface SentEvent {
  readonly id: string;
  readonly hook: string;
  readonly branch: string;
  readonly time: string;
  /** Undefined if there was no response. */
  readonly status: number | undefined;
}

interface Hooks {
  of(team: string, repo: string): Hook[];
  add(team: string, repo: string, input: z.infer<typeof HookInput>): Promise<Hook>;
  remove(id: string): Promise<void>;
  /** Newest first. */
  sent(team: string, repo: string): readonly SentEvent[];
  /** Sends a push to every webhook of its repository. */
  push(pushed: Omit<Pushed, 'id' | 'time'>): Promise<void>;
  /** Sends the same bytes again; false if there is no such event. */
  resend(id: string): Promise<boolean>;
  fault: EventFault;
}

/** The webhooks of all repositories, stored in `hooks.json`. */
async function openHooks(folder: string): Promise<Hooks> {
  const file = join(folder, 'hooks.json');
  const stored = await readFile(file, 'utf8').catch(() => '[]');
  let hooks = z.array(Hook).parse(JSON.parse(stored));
  const events: (SentEvent & { readonly bytes: SignedEvent; readonly hook: string })[] = [];
  const save = () => writeFile(file, JSON.stringify(hooks, null, 2), { mode: 0o600 });

  const send = async (hook: Hook, branch: string, bytes: SignedEvent, id: string) => {
    const answer = await fetch(hook.address, { method: 'POST', ...bytes, signal: AbortSignal.timeout(10_000) }).catch(() => undefined);
    await answer?.body?.cancel();
    events.unshift({ id, hook: hook.id, branch, time: new Date().toISOString(), status: answer?.status, bytes });
    events.length = Math.min(events.length, MAX_EVENTS);
  };

  const opened: Hooks = {
    fault: 'none',
    of: (team, repo) => hooks.filter((hook) => hook.team === team && hook.repo === repo),
    async add(team, repo, input) {
      const hook = { ...input, id: randomUUID(), team, repo };
      hooks = [...hooks, hook];
      await save();
      return hook;
    },
    async remove(id) {
      hooks = hooks.filter((hook) => hook.id !== id);
      await save();
    },
    sent(team, repo) {
      const here = new Set(opened.of(team, repo).map(({ id }) => id));
      return events.filter(({ hook }) => here.has(hook)).map(({ id, hook, branch, time, status }) => ({ id, hook, branch, time, status }));
    },
    async push(pushed) {
      if (opened.fault === 'lost') return;
      for (const hook of opened.of(pushed.team, pushed.repo)) {
        const id = randomUUID();
        const secret = opened.fault === 'wrong-signature' ? `${hook.secret}-wrong` : hook.secret;
        const bytes = signedPush(hook.form, { ...pushed, id, time: new Date() }, { secret, username: hook.username });
        for (let times = opened.fault === 'twice' ? 2 : 1; times > 0; times -= 1) await send(hook, pushed.branch, bytes, id);
      }
    },
    async resend(id) {
      const event = events.find((one) => one.id === id);
      const hook = hooks.find((one) => one.id === event?.hook);
      if (event === undefined || hook === undefined) return false;
      await send(hook, event.branch, event.bytes, id);
      return true;
    },
  };
  return opened;
}

const MAX_EVENTS = 50;

/** Reads every private repository of the sandbox's git vendor and pushes to none: the token for build management. */
export const ACCESS_TOKEN = 'sandbox-access-token';

/** Repositories that everyone can read. */
const PUBLIC: readonly string[] = ['northwind/public-docs'];
/** The members of a team: they read and push. */
const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  northwind: ['ada.admin@example.com', 'otto.org@example.com'],
};

interface Access {
  readonly mayRead: boolean;
  readonly mayPush: boolean;
  /** The person, if signed in. */
  readonly account: string | undefined;
}

/** What the credentials of a request allow. Takes its `authorization` header, `Basic <user>:<password or token>`. */
function accessOf(authorization: string | undefined, team: string, repo: string): Access {
  const credentials = basicCredentials(authorization);
  const account = credentials?.account;
  const hasToken = credentials?.password === ACCESS_TOKEN;
  const isMember = account !== undefined && MEMBERS[team]?.includes(account) === true;
  const isOpen = PUBLIC.includes(`${team}/${repo}`);
  // Invalid credentials are refused even if none are needed.
  const isBroken = credentials !== undefined && account === undefined && !hasToken;
  return { mayRead: !isBroken && (isOpen || isMember || hasToken), mayPush: isMember, account };
}
