import { checkSite } from '#extension/setup/check-site.ts';
import type { CheckId, SiteState } from '#contract/site-check.ts';
import type { Finding } from '#extension/setup/findings.ts';
import { codeChoice } from '#extension/setup/propose-choices.ts';
import { readSituation } from '#extension/setup/read-situation.ts';
import type { Edits } from '#extension/setup/edits.ts';
import { isOpen, stateOfSituation, stateWithoutAuthoring } from '#extension/setup/site-state.ts';
import { eachBounded } from '#extension/setup/sites/each-bounded.ts';
import { createPace } from '#extension/setup/sites/pace.ts';
import type { Pace } from '#extension/setup/sites/pace.ts';
import type { Batch, SiteRow } from '#extension/setup/sites/rows.ts';
import { findingMessages } from '#extension/messages/finding-messages.ts';
import type { FindingMessages } from '#extension/messages/finding-messages.ts';
import { commandLine as messages } from '#extension/messages/en/command-line.ts';
import { checks } from '#extension/messages/en/checks.ts';
import { siteStates } from '#extension/messages/en/site-states.ts';
import type { Options } from '../arguments.ts';
import { checkPages } from '../check-pages.ts';
import type { Connection } from '../connect.ts';
import { declaredAuthoring } from '../declared-authoring.ts';
import { failureLine } from '../explain.ts';
import { patientPorts } from '../patient-ports.ts';
import { prepare } from '../prepare.ts';
import { recordCheck } from '../record-check.ts';
import { terminalFix } from '../terminal-messages.ts';
import type { CommandResult, CliContext } from '../cli-context.ts';

/** Sites that are checked at once: each asks about twenty questions. */
const AT_ONCE = 4;

/** Checks that mean nothing where the authoring system was not read. */
const OF_THE_AUTHORING_SYSTEM: readonly CheckId[] = [
  'configuration-page',
  'project-type',
  'organization-and-site-name',
  'cloud-configuration-own',
  'delivery-answers',
];

/**
 * Checks every site of the file, the home page on both hosts included. 0: fine; 3: something is wrong; 1: a site could not
 * be checked at all; 4: nothing wrong was found, but not everything was looked at, or is there yet.
 */
export async function check(context: CliContext, options: Options): Promise<CommandResult> {
  const { connection, batches } = await prepare(context, options);
  const pace = createPace(context, context.signal);
  const sites: CheckedSite[] = [];
  for (const { batch, rows } of batches) {
    const work = (row: SiteRow) => checkRow({ connection, pace, record: options.record }, batch, row);
    sites.push(...(await eachBounded(rows, options.concurrency ?? AT_ONCE, work)));
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
  /** As every screen says it; absent where the site could not be checked. */
  readonly state?: SiteState;
  readonly problem?: string;
  readonly findings: readonly CheckedFinding[];
  /** Why the service does not keep what was found, where it does not; the check itself is none the worse for it. */
  readonly notRecorded?: string;
}

export interface CheckedFinding extends FindingMessages {
  readonly check: CheckId | 'page-preview' | 'page-live';
  readonly verdict: Finding['verdict'];
  /** It is still to come, so that nobody can say yet that it is well. */
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
  const reading = patientPorts(ports(author, declared), pace);
  const [read, pages] = await Promise.all([
    readSituation(reading, row.contentRoot, decidedBy(batch, row)),
    checkPages(reading, batch, row),
  ]);
  const site = row.siteName;
  if (read.state !== 'known')
    return { site, problem: read.state === 'failed' ? failureLine(read.failure) : messages.check.notRead, findings: [] };
  const findings = checkSite(read.value).filter(({ check: id }) => reach === 'both' || !OF_THE_AUTHORING_SYSTEM.includes(id));
  const all = [...findings, ...pages];
  const state = reach === 'both' ? stateOfSituation(read.value, all) : stateWithoutAuthoring(read.value, all);
  const notRecorded = record && reach === 'both' ? await recordCheck(connection.client, read.value, findings) : undefined;
  return { site, state, findings: [...findings.map(worded), ...pages], ...(notRecorded === undefined ? {} : { notRecorded }) };
}

/** What the file says of a site, as the setup of one site takes it. */
function decidedBy(batch: Batch, row: SiteRow): Edits {
  const code = codeChoice(row.code ?? batch.code) ?? { type: 'github', owner: batch.organization, repo: batch.organization };
  const administrators = (row.access ?? batch.access).role?.admin;
  return {
    organization: batch.organization,
    siteName: row.siteName,
    configurationPage: row.configurationPage ?? `${row.contentRoot}/configuration`,
    code,
    // Nothing said is not nobody: those that the site has stay.
    ...(administrators === undefined ? {} : { administrators }),
    ...(row.technicalAccount === '' ? {} : { technicalAccount: row.technicalAccount }),
    mappings: row.mappings,
    ...(row.includes === undefined ? {} : { includes: row.includes }),
  };
}

function worded(finding: Finding): CheckedFinding {
  const { check: id, verdict, evidence } = finding;
  const texts = findingMessages(checks.sentences, checks.unknown, finding);
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
      ? [`${site}: ${checks.verdicts[verdict].label.toLowerCase()} ${id}: ${messages.failed(finding, fix)}`]
      : [];
  });
  return state === undefined ? found : [`${site}: ${siteStates[state]}`, ...found];
}
