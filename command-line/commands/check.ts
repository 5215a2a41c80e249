import type { Feature } from '@repoless/contract/service.ts';
import { CHECK_IDS, checkEndpoints, type CheckId, EVALUATED_BY, type SiteCheck, type SiteState } from '@repoless/contract/site-check.ts';
import { createChecksPort } from '@repoless/core/api/organization-ports.ts';
import type { Client } from '@repoless/core/api/client.ts';
import type { Finding } from '@repoless/core/checks/finding.ts';
import { checkSite } from '@repoless/core/checks/check-site.ts';
import { isOpen, joinStates, stateOfSituation, stateWithoutAuthoring } from '@repoless/core/checks/site-state.ts';
import { commandLine as messages } from '@repoless/core/messages/en/command-line.ts';
import { english } from '@repoless/core/messages/english.ts';
import { findingMessages, type FindingMessages } from '@repoless/core/messages/finding-messages.ts';
import { storedFindingsOf } from '@repoless/core/overview/stored-checks.ts';
import type { Edits } from '@repoless/core/plan/choices.ts';
import { codeChoice } from '@repoless/core/situation/code-choice.ts';
import type { AuthoringPort, SetupPorts } from '@repoless/core/situation/ports.ts';
import { createPace, mapConcurrently, type Pace } from '@repoless/core/run/retry.ts';
import { rowAddresses } from '@repoless/core/sites/row-site.ts';
import type { Batch, SiteRow } from '@repoless/core/sites/rows.ts';
import { readSituation } from '@repoless/core/plan/read-situation.ts';
import type { FileProbe, Setting, Situation } from '@repoless/core/situation/situation.ts';
import { targetOfSituation } from '@repoless/core/situation/target.ts';
import type { CliContext, CommandResult, Options } from '../cli-context.ts';
import { type Connection, retryingPorts } from '../connect.ts';
import { failureLine, terminalFix } from '../explain.ts';
import { prepare } from '../prepare.ts';

/** Sites checked concurrently: each makes about twenty requests. */
const AT_ONCE = 4;

/** Checks that mean nothing unless the authoring system was read. */
const OF_THE_AUTHORING_SYSTEM: readonly CheckId[] = CHECK_IDS.filter((id) => EVALUATED_BY[id] === 'authoring');

/**
 * Checks every site of the file, including the home page on both hosts. 0: fine; 3: something is wrong; 1: a site could not be checked at
 * all; 4: nothing wrong was found, but not everything could be checked, or is available yet.
 */
export async function check(context: CliContext, options: Options): Promise<CommandResult> {
  const { connection, batches } = await prepare(context, options);
  const pace = createPace(context, context.signal);
  const sites: CheckedSite[] = [];
  for (const { batch, rows } of batches) {
    const work = (row: SiteRow) => checkRow({ connection, pace, record: options.record }, batch, row);
    sites.push(...(await mapConcurrently(rows, options.concurrency ?? AT_ONCE, work)));
  }
  const found = sites.flatMap(({ findings }) => findings);
  const count = (verdict: Finding['verdict']) => found.filter((finding) => finding.verdict === verdict).length;
  const left = connection.reach === 'both' ? [] : OF_THE_AUTHORING_SYSTEM;
  const unknown = count('unknown');
  const pending = found.filter((finding) => finding.isPending === true).length;
  const notChecked = unknown + pending + left.length * sites.length;
  const summary = { sites: sites.length, wrong: count('wrong'), warnings: count('warning'), unknown, notChecked };
  const failed = sites.some(({ problem }) => problem !== undefined);
  const unrecorded = sites.flatMap(({ notRecorded }) => (notRecorded === undefined ? [] : [notRecorded]));
  const lines = [
    ...sites.flatMap(linesOf),
    ...(unrecorded[0] === undefined ? [] : [messages.check.notRecorded(unrecorded.length, unrecorded[0])]),
    ...(left.length === 0 ? [] : [messages.check.serviceOnly(left.join(', '))]),
    failed || summary.wrong + summary.warnings > 0
      ? messages.check.summary(summary.wrong, summary.warnings, notChecked)
      : notChecked > 0
        ? messages.check.fineAsFar(sites.length, notChecked)
        : messages.check.fine(sites.length),
  ];
  const code = failed ? 1 : summary.wrong > 0 ? 3 : notChecked > 0 ? 4 : 0;
  return { code, json: { reach: connection.reach, summary, notChecked: left, sites }, lines };
}

interface CheckedSite {
  readonly site: string;
  /** The same as on every screen; absent if the site could not be checked. */
  readonly state?: SiteState;
  readonly problem?: string;
  readonly findings: readonly CheckedFinding[];
  /** Why the service does not store the findings, if it does not; the check itself is unaffected. */
  readonly notRecorded?: string;
}

export interface CheckedFinding extends FindingMessages {
  readonly check: CheckId | 'page-preview' | 'page-live';
  readonly verdict: Finding['verdict'];
  /** Still pending, so it cannot count as fine yet. */
  readonly isPending?: true;
  readonly evidence?: Finding['evidence'];
}

interface Checking {
  readonly connection: Connection;
  readonly pace: Pace;
  readonly record: boolean;
}

async function checkRow({ connection, pace, record }: Checking, batch: Batch, row: SiteRow): Promise<CheckedSite> {
  const { ports, reach } = connection;
  const { author, organization } = batch;
  const declared = reach === 'service' ? declaredAuthoring(author, organization, row) : undefined;
  const reading = retryingPorts(ports(author, declared), pace);
  const [read, pages] = await Promise.all([
    readSituation(reading, row.contentRoot, decidedBy(batch, row)),
    checkPages(reading, batch, row),
  ]);
  const site = row.siteName;
  if (read.state !== 'known')
    return { site, problem: read.state === 'failed' ? failureLine(read.failure) : messages.check.notRead, findings: [] };
  const findings = checkSite(read.value).filter(({ check: id }) => reach === 'both' || !OF_THE_AUTHORING_SYSTEM.includes(id));
  const all = [...findings, ...pages];
  // Without the authoring system, other people's findings with it count.
  const stored = reach === 'both' ? undefined : await storedCheck(connection.client, read.value);
  const state = reach === 'both' ? stateOfSituation(read.value, all) : joinStates(stateWithoutAuthoring(read.value, all), stored?.state);
  const notRecorded = record && reach === 'both' ? await recordCheck(connection.client, read.value, findings) : undefined;
  return { site, state, findings: [...findings.map(worded), ...pages], ...(notRecorded === undefined ? {} : { notRecorded }) };
}

/** The file's settings for a site, as the setup of a single site takes them. */
function decidedBy(batch: Batch, row: SiteRow): Edits {
  const code = codeChoice(row.code ?? batch.code) ?? { type: 'github', owner: batch.organization, repo: batch.organization };
  const administrators = (row.access ?? batch.access).role?.admin;
  return {
    organization: batch.organization,
    siteName: row.siteName,
    configurationPage: row.configurationPage ?? `${row.contentRoot}/configuration`,
    code,
    // An omitted value is not an empty one: the site keeps those it has.
    ...(administrators === undefined ? {} : { administrators }),
    ...(row.technicalAccount === '' ? {} : { technicalAccount: row.technicalAccount }),
    mappings: row.mappings,
    ...(row.includes === undefined ? {} : { includes: row.includes }),
  };
}

function worded(finding: Finding): CheckedFinding {
  const { check: id, verdict, evidence } = finding;
  const texts = findingMessages(english['site-check'].checks, finding);
  const pending = verdict !== 'unknown' && isOpen(finding) ? { isPending: true as const } : {};
  const fix = terminalFix(finding, texts.fix);
  return {
    check: id,
    verdict,
    ...pending,
    ...texts,
    ...(fix === undefined ? {} : { fix }),
    ...(evidence === undefined ? {} : { evidence }),
  };
}

function linesOf({ site, state, problem, findings }: CheckedSite): string[] {
  if (problem !== undefined) return [`${site}: ${problem}`];
  const found = findings.flatMap(({ check: id, verdict, isPending, finding, fix }) => {
    if (verdict === 'unknown' || isPending === true) return [`${site}: ${messages.check.notChecked} ${id}: ${finding}`];
    return verdict === 'wrong' || verdict === 'warning'
      ? [`${site}: ${english['site-check'].checks.verdicts[verdict].label.toLowerCase()} ${id}: ${messages.failed(finding, fix)}`]
      : [];
  });
  return state === undefined ? found : [`${site}: ${english['first-view'].siteStates[state]}`, ...found];
}

/** Requests the home page from both hosts, as a visitor does: a site without its page is not fine, whatever is stored. */
export async function checkPages(ports: Pick<SetupPorts, 'hosts'>, batch: Batch, row: SiteRow): Promise<CheckedFinding[]> {
  const { preview, live } = rowAddresses(batch, row);
  const [onPreview, onLive] = await Promise.all([ports.hosts.file(preview, '/'), ports.hosts.file(live, '/')]);
  return [pageFinding('page-preview', onPreview), pageFinding('page-live', onLive)];
}

function pageFinding(check: 'page-preview' | 'page-live', { address, status }: FileProbe): CheckedFinding {
  const { page } = messages.check;
  const common = { check, evidence: { request: `HEAD ${address}`, answer: String(status) } };
  if (status === 'unreachable') return { ...common, verdict: 'unknown', finding: page.unreachable(address) };
  if (status === 401 || status === 403) return { ...common, verdict: 'unknown', finding: page.protected(address, String(status)) };
  if (status >= 200 && status <= 299) return { ...common, verdict: 'fine', finding: page.fine(address) };
  return { ...common, verdict: 'wrong', finding: page.wrong(address, String(status)), fix: page.fix };
}

/**
 * Stores the findings of a site in the service. Returns why the service does not store them; undefined if it does, or if there is nothing
 * to store.
 */
export async function recordCheck(client: Client, situation: Situation, findings: readonly Finding[]): Promise<string | undefined> {
  const found = storedFindingsOf(situation, findings);
  if (found === undefined) return undefined;
  if (!situation.info.features.includes(CHECKS)) return messages.check.noChecks;
  const { organization: org, siteName: site } = targetOfSituation(situation);
  const answer = await client.call(checkEndpoints.putSiteCheck, { params: { org, site }, body: found });
  if (answer.ok) return undefined;
  return answer.failure.status === 404 ? messages.check.notFound : failureLine(answer.failure);
}

async function storedCheck(client: Client, situation: Situation): Promise<SiteCheck | undefined> {
  const { organization, siteName } = targetOfSituation(situation);
  if (!situation.info.features.includes(CHECKS) || situation.site.state !== 'known') return undefined;
  const stored = await createChecksPort(client).site(organization, siteName);
  return stored.state === 'known' ? stored.value : undefined;
}

const CHECKS: Feature = 'checks';

/** Stands in for an authoring system that cannot be read: assumes the settings that the file states. Writes nothing. */
export function declaredAuthoring(author: string, organization: string, row: SiteRow): AuthoringPort {
  const declared = (value: string | undefined): Setting =>
    value === undefined ? { source: { kind: 'missing' } } : { value, source: { kind: 'derived' } };
  const refused = { state: 'failed', failure: { kind: 'refused', status: 405 } } as const;
  return {
    settings: async (page) => ({
      state: 'known',
      value: {
        author,
        page,
        siteRoot: row.contentRoot,
        projectType: declared(undefined),
        organization: declared(organization),
        siteName: declared(row.siteName),
        configurationPage: declared(row.configurationPage),
        technicalAccount: declared(row.technicalAccount === '' ? undefined : row.technicalAccount),
        cloudConfiguration: declared(row.cloudConfiguration),
        deliveryAddress: declared(undefined),
      },
    }),
    page: async (path) => ({ state: 'known', value: { path } }),
    createdPage: async () => refused,
    content: async (path) => ({ state: 'known', value: { path, title: path, kind: 'page', hasChildren: true } }),
    children: async () => refused,
    edgeConfiguration: async () => refused,
    lock: async () => refused,
    mayWrite: async () => refused,
    readyToWrite: async () => refused,
    send: async () => refused,
    holds: async () => refused,
  };
}
