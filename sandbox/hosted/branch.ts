import { CodeSource, externalSource } from '@repoless/contract/code-source.ts';
import { randomBytes } from 'node:crypto';
import { type Answer, bodyOf, Refusal, type Target } from './received-request.ts';
import type { Context } from './context.ts';
import { effective, type StoredItem, isObject, type Job, type Json, objectAt, textAt } from './store.ts';

type BranchTarget = Extract<Target, { kind: 'branch' }>;
type Hosts = (site: StoredItem, ref: string) => { readonly preview: string; readonly live: string };

/** Code, jobs, log and status of a site, and the announcement of the successor. */
export function answerBranch(context: Context, target: BranchTarget, hosts: Hosts): Answer {
  const { store } = context;
  const { org, call } = target;
  if (call === 'ping') return { status: 200, json: { status: 'ok' }, headers: announcement(context, target) };
  // A sync and its jobs belong to the repository, whose name the address has.
  const site = call === 'code' || call === 'job' ? codeSite(context, target) : store.find('sites', org, target.site);
  // Before any authentication, so everyone learns that there is no such site.
  if (site?.document === undefined) throw new Refusal(404, `no such site: ${org}/${target.site}`);
  switch (call) {
    case 'code':
      return answerCode(context, site, target);
    case 'job':
      return answerJobs(context, site, target);
    case 'log':
      return answerLog(context, site);
    case 'status':
      return answerStatus(context, site, target, hosts);
    case 'sidekick': {
      context.guard.require('job:read', org, site);
      const { preview, live } = hosts(site, target.ref);
      const sidekick = objectAt(effective(store, site), 'sidekick');
      return { status: 200, json: { ...sidekick, previewHost: preview, liveHost: live }, headers: announcement(context, target) };
    }
    default:
      return call satisfies never;
  }
}

function announcement({ switches }: Context, { org, site }: BranchTarget): Record<string, string> {
  return switches.upgraded.includes(`${org}/${site}`) ? { 'x-api-upgrade-available': 'true' } : {};
}

/** The site of a code address, which names the repository: the one with that name, or any that uses the repository. */
function codeSite({ store }: Context, { org, site }: BranchTarget): StoredItem | undefined {
  const byName = store.find('sites', org, site);
  if (byName?.document !== undefined) return byName;
  return store.all('sites', org).find((one) => isCodeOf(effective(store, one), org, site));
}

function isCodeOf(document: Json, owner: string, repo: string): boolean {
  return textAt(document, 'code', 'owner') === owner && textAt(document, 'code', 'repo') === repo;
}

function answerCode(context: Context, site: StoredItem, { org, site: repo, ref, rest }: BranchTarget): Answer {
  const { request, guard, store, switches } = context;
  const document = effective(store, site);
  const code = objectAt(document, 'code');
  if (request.method !== 'POST') {
    guard.require('job:read', site.org, site);
    return { status: 200, json: { webPath: `/${rest}`, code: { status: codeStatus(context, site) } } };
  }
  guard.require('code:write', site.org, site);
  const external = externalSource(CodeSource.safeParse(code).data) !== undefined;
  if (!external && !isCodeOf(document, org, repo))
    throw new Refusal(
      403,
      `Code operation restricted to canonical source: ${textAt(code, 'owner')}/${textAt(code, 'repo')}`,
      'AEM_ NOT_CANONICAL_CODE_SOURCE',
    );
  if (!external && switches.appMissing.includes(textAt(code, 'owner'))) throw new Refusal(400, 'github bot not installed on repository.');
  if (external && !switches.syncsExternal) throw new Refusal(403, 'not authorized');
  if (rest !== '*') return { status: 200, json: { webPath: `/${rest}`, code: { status: 200 } } };
  const job = startJob(context, site, ref, external);
  const self = `/job/${site.org}/${site.name}/${ref}/code/${job.name}`;
  const { topic, name, state, createTime, data } = jobView(job, true);
  return {
    status: 202,
    json: {
      messageId: job.name,
      job: { topic, name, state: state === 'running' ? 'created' : state, createTime, data },
      links: { self, list: self.replace(/\/[^/]+$/, '') },
    },
  };
}

function codeStatus({ switches, store }: Context, site: StoredItem): number {
  if (switches.appMissing.includes(textAt(effective(store, site), 'code', 'owner'))) return 400;
  return site.jobs.some((job) => jobView(job).state === 'stopped' && job.error === undefined) ? 200 : 404;
}

/** A job of a site; pushes start them too. */
function startJob({ switches, store, guard, head }: Context, site: StoredItem, ref: string, external: boolean): Job {
  const now = new Date();
  const stamp = now.toISOString().slice(0, 19).replaceAll(/[T:]/g, '-');
  const isRefused = external && (switches.hlxignoreRefused || objectAt(site.document, 'secrets')['cm-byog'] === undefined);
  const code = objectAt(effective(store, site), 'code');
  const job: Job = {
    name: `job-${stamp}-${randomBytes(4).toString('hex')}`,
    ref,
    started: now.getTime(),
    duration: switches.jobMs,
    data: {
      owner: code['owner'],
      repo: code['repo'],
      branch: ref,
      user: guard.caller.claims['email'],
      ...(external ? { type: 'bitbucket', installationId: 'byogit' } : {}),
      sha: head(`${textAt(code, 'owner')}/${textAt(code, 'repo')}`, ref) ?? randomBytes(20).toString('hex'),
    },
    ...(isRefused ? { error: 'Unable to fetch hlxignore: 401' } : {}),
  };
  site.jobs.push(job);
  return job;
}

const PHASES = ['collect', 'sync', 'postprocess', 'purge'] as const;

function jobView({ name, started, duration, error, data, stopped }: Job, isDetailed = false): Json {
  const end = stopped ?? started + duration;
  const done = Date.now() >= end;
  const phase = done ? 'completed' : PHASES[Math.floor((4 * (Date.now() - started)) / (end - started))];
  const time = new Date(started).toISOString();
  return {
    topic: 'code',
    name,
    state: done ? 'stopped' : 'running',
    createTime: time,
    startTime: time,
    ...(done ? { stopTime: new Date(end).toISOString() } : {}),
    ...(stopped === undefined ? {} : { cancelled: true }),
    ...(done && error !== undefined ? { error } : {}),
    progress: { total: 12, processed: done ? 12 : 0, failed: 0, notmodified: 0, success: done ? 12 : 0 },
    ...(isDetailed ? { data: { phase, ...data } } : {}),
  };
}

function answerJobs({ request, guard, switches }: Context, site: StoredItem, { org, site: name, ref, rest }: BranchTarget): Answer {
  guard.require(request.method === 'DELETE' ? 'code:write' : 'job:read', org, site);
  const [topic, job, details] = rest.split('/');
  const jobs = site.jobs.filter((one) => one.ref === ref);
  if (topic !== 'code' || jobs.length === 0) throw new Refusal(404);
  const self = `/job/${org}/${name}/${ref}/code`;
  if (job === undefined) {
    const rows = jobs.map((one) => ({
      name: one.name,
      state: jobView(one)['state'],
      time: jobView(one)['createTime'],
      href: `${self}/${one.name}`,
    }));
    return { status: 200, json: { topic, jobs: rows, links: { self } } };
  }
  const found = jobs.find((one) => one.name === job);
  if (found === undefined) throw new Refusal(404);
  if (request.method === 'DELETE') {
    if (jobView(found)['state'] === 'stopped') throw new Refusal(409);
    found.stopped = Date.now();
    return { status: 204 };
  }
  const links = { self: `${self}/${job}`, list: self };
  return { status: details === undefined ? 200 : switches.jobDetailsStatus, json: { ...jobView(found, details !== undefined), links } };
}

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** The log of a site says that something changed and who did it, but never what. */
function answerLog({ request, guard }: Context, site: StoredItem): Answer {
  guard.require('log:read', site.org, site);
  if (request.method === 'POST') {
    const { entries }: Json = Object(bodyOf(request));
    if (!Array.isArray(entries)) throw new Refusal(400, 'entries missing');
    site.log.push(...entries.filter(isObject).map((entry) => ({ timestamp: Date.now(), ...entry })));
    return { status: 201 };
  }
  const { query } = request;
  const [, amount = '15', unit = 'm'] = /^(\d+)([mhd])$/.exec(query.get('since') ?? '15m') ?? [];
  const to = Date.parse(query.get('to') ?? '') || Date.now();
  const from = Date.parse(query.get('from') ?? '') || to - Number(amount) * (UNITS[unit] ?? 0);
  const first = Number(query.get('nextToken') ?? 0);
  const limit = Math.min(Number(query.get('limit') ?? 1000) || 1000, 1000);
  const all = site.log.filter(({ timestamp }) => Number(timestamp) >= from && Number(timestamp) <= to);
  const next = first + limit < all.length ? String(first + limit) : undefined;
  const json = {
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    entries: all.slice(first, first + limit),
    ...(next === undefined ? {} : { nextToken: next, links: { next: `${request.path}?nextToken=${next}` } }),
  };
  return { status: 200, json };
}

function answerStatus(context: Context, site: StoredItem, { org, site: name, ref, rest }: BranchTarget, hosts: Hosts): Answer {
  const { guard } = context;
  guard.require('job:read', org, site);
  const roles = guard.roles(org, site);
  const may = (...accepted: string[]) => (roles.some((role) => accepted.includes(role)) ? ['read', 'write'] : ['read']);
  const publishes = may('admin', 'config_admin', 'author', 'publish', 'basic_author', 'basic_publish');
  const { preview, live } = hosts(site, ref);
  const path = `/${rest}`;
  const { email } = guard.caller.claims;
  const host = (of: string) => ({ url: `http://${of}${path}`, status: 404, permissions: publishes });
  return {
    status: 200,
    json: {
      webPath: path,
      resourcePath: path,
      live: host(live),
      preview: host(preview),
      edit: {},
      code: { status: codeStatus(context, site), permissions: may('admin', 'config_admin', 'develop', 'author', 'publish') },
      links: Object.fromEntries(['status', 'preview', 'live', 'code'].map((call) => [call, `/${call}/${org}/${name}/${ref}${path}`])),
      ...(email === undefined ? {} : { profile: { email } }),
    },
  };
}
