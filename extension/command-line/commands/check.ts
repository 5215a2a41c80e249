import { checkSite } from '#extension/setup/check-site.ts';
import type { CheckId, Finding } from '#extension/setup/findings.ts';
import { codeChoice } from '#extension/setup/propose-choices.ts';
import { readSituation } from '#extension/setup/read-situation.ts';
import type { Choices } from '#extension/setup/settings.ts';
import { eachBounded } from '#extension/setup/sites/each-bounded.ts';
import type { Batch, SiteRow } from '#extension/setup/sites/rows.ts';
import { findingWords } from '#extension/words/finding-words.ts';
import type { FindingWords } from '#extension/words/finding-words.ts';
import { commandLine as words } from '#extension/words/en/command-line.ts';
import { checks } from '#extension/words/en/checks.ts';
import type { Options } from '../arguments.ts';
import type { Connection } from '../connect.ts';
import { declaredAuthoring } from '../declared-authoring.ts';
import { failureLine } from '../explain.ts';
import { prepare } from '../prepare.ts';
import type { CommandResult, CommandSurroundings } from '../surroundings.ts';

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

/** Checks every site of the file. 0: fine; 3: something is wrong; 1: something could not be checked at all. */
export async function check(surroundings: CommandSurroundings, options: Options): Promise<CommandResult> {
  const { connection, batches } = await prepare(surroundings, options);
  const sites: CheckedSite[] = [];
  for (const { batch, rows } of batches) {
    const work = (row: SiteRow) => checkRow(connection, batch, row);
    sites.push(...(await eachBounded(rows, options.concurrency ?? AT_ONCE, work)));
  }
  const found = sites.flatMap(({ findings }) => findings);
  const count = (verdict: Finding['verdict']) => found.filter((finding) => finding.verdict === verdict).length;
  const summary = { sites: sites.length, wrong: count('wrong'), warnings: count('warning'), unknown: count('unknown') };
  const failed = sites.some(({ problem }) => problem !== undefined);
  const lines = [
    ...sites.flatMap(linesOf),
    summary.wrong + summary.warnings === 0 && !failed
      ? words.check.fine(sites.length)
      : words.check.summary(summary.wrong, summary.warnings),
    ...(connection.reach === 'service' ? [words.check.serviceOnly] : []),
  ];
  return { code: failed ? 1 : summary.wrong > 0 ? 3 : 0, json: { reach: connection.reach, summary, sites }, lines };
}

interface CheckedSite {
  readonly site: string;
  readonly problem?: string;
  readonly findings: readonly CheckedFinding[];
}

interface CheckedFinding extends FindingWords {
  readonly check: CheckId;
  readonly verdict: Finding['verdict'];
  readonly evidence?: Finding['evidence'];
}

async function checkRow({ ports, reach }: Connection, batch: Batch, row: SiteRow): Promise<CheckedSite> {
  const { author, organization } = batch;
  const declared = reach === 'service' ? declaredAuthoring(author, organization, row) : undefined;
  const read = await readSituation(ports(author, declared), row.contentRoot, choicesOf(batch, row));
  const site = row.siteName;
  if (read.state !== 'known')
    return { site, problem: read.state === 'failed' ? failureLine(read.failure) : words.check.notRead, findings: [] };
  const findings = checkSite(read.value).filter(({ check: id }) => reach === 'both' || !OF_THE_AUTHORING_SYSTEM.includes(id));
  return { site, findings: findings.map(worded) };
}

/** What the file says of a site, as the setup of one site takes it. */
function choicesOf(batch: Batch, row: SiteRow): Choices {
  const code = codeChoice(row.code ?? batch.code) ?? { type: 'github', owner: batch.organization, repo: batch.organization };
  return {
    organization: batch.organization,
    siteName: row.siteName,
    configurationPage: row.configurationPage ?? `${row.contentRoot}/configuration`,
    code,
    administrators: (row.access ?? batch.access).role?.admin ?? [],
    technicalAccount: row.technicalAccount,
    mappings: row.mappings,
    includes: row.includes,
  };
}

function worded(finding: Finding): CheckedFinding {
  const { check: id, verdict, evidence } = finding;
  const said = findingWords(checks.sentences, checks.unknown, finding);
  return { check: id, verdict, ...said, ...(evidence === undefined ? {} : { evidence }) };
}

function linesOf({ site, problem, findings }: CheckedSite): string[] {
  if (problem !== undefined) return [`${site}: ${problem}`];
  return findings
    .filter(({ verdict }) => verdict === 'wrong' || verdict === 'warning')
    .map(({ check: id, verdict, finding, fix }) => `${site}: ${verdict} ${id}: ${words.failed(finding, fix)}`);
}
