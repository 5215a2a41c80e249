import { Command, CommanderError, Option } from 'commander';
import { commandLine as messages } from '@repoless/core/messages/en/command-line.ts';
import { apply } from './commands/apply.ts';
import { check } from './commands/check.ts';
import { cloneOne } from './commands/clone.ts';
import { doctor } from './commands/doctor.ts';
import { exportSites } from './commands/export.ts';
import { history as listHistory, undo } from './commands/history.ts';
import { importProjects } from './commands/import.ts';
import { move } from './commands/move.ts';
import { plan } from './commands/plan.ts';
import { rollout } from './commands/rollout.ts';
import { login, logout } from './commands/session.ts';
import { simulate } from './commands/simulate.ts';
import { status } from './commands/status.ts';
import { sync } from './commands/sync.ts';
import { verifyLog } from './commands/verify-log.ts';
import { CommandFailure, DEFAULT_OPTIONS, UsageProblem } from './cli-context.ts';
import { VERSION } from '@repoless/contract/version.ts';
import type { CliContext, Command as Work, CommandResult, ExitCode, Options } from './cli-context.ts';
import { OPERATOR_COMMANDS } from './operate.ts';
import { formatNamed, many, named, one, parallel, repository, versionNumber } from './option-parsers.ts';

const file = one('-f, --file <path>', 'the file, YAML or JSON (schema: docs/site-file.schema.json); - for standard input');
const service = one('--service <address>', 'the configuration service (default: the one in the file, then REPOLESS_SERVICE)');
const history = one('--history <folder>', 'with a hosted service: where changes are recorded (default: repoless-history beside the file)');
const organization = one('--organization <name>', 'the organization', named('organization'));
const sites = many('--site <name>', 'only this site, can be repeated');
const newSite = one('--site <name>', 'the name of the new site', named('site'));
const dryRun = (what: string) => new Option('--dry-run', what);
const noWait = new Option('--no-wait', 'only start it');
const concurrency = (standard: number, what = 'sites') =>
  one('--concurrency <number>', `${what} in parallel, from 1 to 32 (default: ${standard})`, parallel);
const formats = one('--format <format>', 'text, json, or markdown for a comment in a pull request', formatNamed);
const ofFile = (atOnce: number) => [file, service, history, sites, concurrency(atOnce)];
const written = [
  ...ofFile(6),
  many('--allow-content-change <site>', 'allow replacing the content of this site with other content, can be repeated'),
  new Option('--prune', 'remove the sites that are in --previous but no longer in the file').conflicts('site'),
  many('--previous <file>', 'with --prune: an earlier version of the file, can be repeated'),
];
const ORDERS = ['stop', 'resume', 'undo'] as const;
const orders = ORDERS.map((order) =>
  one(`--${order} <id>`, `${order} an existing rollout`).conflicts(['file', 'dryRun', ...ORDERS.filter((other) => other !== order)]),
);
const applyUndo = new Option('--apply', 'with --undo: undo it, instead of showing what that does').conflicts([
  'file',
  'dryRun',
  'stop',
  'resume',
]);

/** The commands as they are written, what they are for, what does their work, and their options. */
const COMMANDS: readonly (readonly [written: string, summary: string, work: Work, options: readonly Option[]])[] = [
  [
    'doctor',
    'show who you are, what you may do, who can do the rest, and what the hosts answer; changes nothing',
    doctor,
    [service, history, organization, sites],
  ],
  [
    'login',
    'sign in to the configuration service with a code (RFC 8628), to a hosted one in its own page',
    login,
    [service, organization, sites, new Option('--paste', 'hosted service: read a token or an API key from standard input')],
  ],
  ['logout', 'end this session', logout, [service, new Option('--everywhere', 'end all of your sessions, including those in browsers')]],
  ['plan', 'show what apply would do; changes nothing', plan, [...written, formats]],
  ['simulate', 'show which addresses of existing pages would change, collide or vanish; changes nothing', simulate, ofFile(2)],
  ['apply', 'set up the service and the authoring system to match the file', apply, [...written, dryRun('do the same as plan')]],
  [
    'check',
    'check every site in the file and explain problems',
    check,
    [...ofFile(4), new Option('--no-record', 'don’t update the check results in the service')],
  ],
  ['status', 'show which sites are registered and match the file', status, ofFile(6)],
  [
    'sync',
    'sync the code of sites, once for each repository, and follow it',
    sync,
    [file, service, organization, sites, concurrency(4, 'repositories'), one('--branch <name>', 'the branch (default: main)'), noWait],
  ],
  [
    'rollout',
    'apply the same edits to many sites, or a new profile to those that extend it, and follow it',
    rollout,
    [file, service, history, organization, dryRun('show what it would do to each site'), noWait, ...orders, applyUndo],
  ],
  [
    'export',
    'write the file from the configuration in the service',
    exportSites,
    [
      service,
      organization,
      sites,
      one('--author <address>', 'only sites of this author'),
      one('--code <owner>/<repo>', 'only sites with this repository', repository),
      one('-o, --out <path>', 'write here instead of to standard output'),
      concurrency(6),
    ],
  ],
  [
    'import <folder...>',
    'create a draft of the file from the fstab.yaml and paths.json of projects',
    importProjects,
    [
      service,
      organization,
      newSite,
      one('--author <address>', 'the author, if it differs from fstab.yaml'),
      one('--code <owner>/<repo>', 'the repository, if it differs from the folder’s', repository),
      one('--content-root <path>', 'the content root, if paths.json is missing'),
      one('-o, --out <path>', 'write here instead of to standard output'),
    ],
  ],
  [
    'clone',
    'create a site with the configuration of another one',
    cloneOne,
    [
      service,
      history,
      organization,
      newSite,
      one('--from <site>', 'the site whose configuration is copied', named('site')),
      one('--content-root <path>', 'the content root of the new site'),
      dryRun('only test it'),
    ],
  ],
  [
    'move [site...]',
    'plan how sites move to another authoring environment; with --apply, move them',
    move,
    [
      service,
      history,
      organization,
      sites,
      one('--from <author>', 'the old environment of the sites'),
      one('--to <author>', 'the new environment of the sites'),
      many('--path <prefix>=<prefix>', 'the old and the new path of the content, can be repeated'),
      one('--technical-account <id>', 'the technical account of the new environment, if it shows none'),
      new Option('--keep-account', 'keep the technical account of the old environment in the access lists'),
      new Option('--apply', 'move the sites'),
      concurrency(6),
      formats,
    ],
  ],
  ['history', 'list the versions of a site, with what the last one changed', listHistory, [service, history, organization, sites]],
  [
    'undo',
    'take one change out of a site, the last one or that of --version; later changes stay',
    undo,
    [
      service,
      history,
      organization,
      sites,
      one('--version <number>', 'the version whose change is undone (default: the last)', versionNumber),
      dryRun('show what it would change'),
      new Option('--yes', 'undo although something stops working or people lose access'),
    ],
  ],
  ['verify-log', 'check that the audit trail of an organization is unaltered', verifyLog, [service, organization]],
  [
    'mcp',
    'serve assistants (Model Context Protocol) on standard input and output',
    serveAssistants,
    [file, service, history, concurrency(6)],
  ],
];

const MORE_HELP = `
On the host of the service, with its settings (see docs/operations.md):
  ${OPERATOR_COMMANDS.join(', ')}

Environment:
  REPOLESS_TOKEN            a token for the service, instead of login
  REPOLESS_AUTHORING_TOKEN  a token for the authoring system; without it, only the service is changed and checked
  REPOLESS_SERVICE          address of the service

Exit codes:
  0  done, or nothing to do
  1  something failed
  2  the command or the file is invalid; nothing was done
  3  plan, move, rollout --dry-run or --undo: changes are pending; check, verify-log: errors were found;
     simulate: a page would lose its address or collide
  4  check, simulate: no errors, but not everything could be checked
`;

/** Runs the command line. In: the arguments after `repoless`. Out: the exit code; output goes to the context. */
export async function run(argv: readonly string[], context: CliContext): Promise<ExitCode> {
  let code: ExitCode = 0;
  const program = new Command('repoless')
    .description('Many sites on one code base, from a declarative file.')
    .version(VERSION, '--version')
    .addHelpText('after', MORE_HELP)
    .configureOutput({ writeOut: context.out, writeErr: () => undefined })
    .exitOverride();
  for (const [name, summary, work, options] of COMMANDS) {
    const command = program.command(name).description(summary);
    for (const option of options) command.addOption(option);
    command.addOption(new Option('--json', 'print JSON'));
    command.action(async () => {
      const given = optionsOf(command);
      const result = await work(context, given);
      context.out(rendered(result, given));
      code = result.code;
    });
  }
  try {
    await program.parseAsync(argv, { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    const problem = error instanceof CommanderError ? usageProblem(error) : error;
    if (!(problem instanceof UsageProblem || problem instanceof CommandFailure)) throw error;
    const places = problem instanceof UsageProblem ? problem.places : [];
    if (wantsJson(argv)) context.out(`${JSON.stringify({ error: problem.message, places }, null, 2)}\n`);
    else context.err([...places.map(placeLine), problem.message].map((line) => `${line}\n`).join(''));
    return problem instanceof UsageProblem ? 2 : 1;
  }
}

/** What the options of the commands are parsed to. */
interface Given extends Partial<Omit<Options, 'sites' | 'paths' | 'contentChanges' | 'folders' | 'order'>> {
  readonly site?: string | readonly string[];
  readonly path?: readonly string[];
  readonly allowContentChange?: readonly string[];
  readonly stop?: string;
  readonly resume?: string;
  readonly undo?: string;
  readonly prune?: boolean;
  readonly json?: boolean;
}

function optionsOf(command: Command): Options {
  const given = command.opts<Given>();
  const { site = [], path: paths = [], allowContentChange: contentChanges = [], json } = given;
  refusePruning(given);
  if (json === true && given.format !== undefined && given.format !== 'json') throw new UsageProblem(messages.usage.twoFormats);
  const order = ORDERS.flatMap((name) => (given[name] === undefined ? [] : [{ order: name, rollout: given[name] }]))[0];
  return {
    ...DEFAULT_OPTIONS,
    ...given,
    ...(json === true ? { format: 'json' } : {}),
    ...(order === undefined ? {} : { order }),
    sites: [site, command.name() === 'move' ? command.args : []].flat(),
    folders: command.args,
    paths,
    contentChanges,
  };
}

/** A site is removed only if an earlier file names it. */
function refusePruning({ prune, previous, file: path }: Given): void {
  if (prune === true && previous === undefined) throw new UsageProblem(messages.prune.noPrevious);
  if (prune !== true && previous !== undefined) throw new UsageProblem(messages.prune.noPrune);
  if ([path, ...(previous ?? [])].filter((name) => name === '-').length > 1) throw new UsageProblem(messages.prune.twoInputs);
}

function usageProblem({ code, message }: CommanderError): UsageProblem {
  return new UsageProblem(
    code === 'commander.help' ? messages.usage.noCommand : `${message.replace(/^error: /, '')}\nSee repoless --help.`,
  );
}

/** Whether JSON was asked for, even if the other arguments are wrong. */
function wantsJson(argv: readonly string[]): boolean {
  return argv.some((arg, index) => arg === '--json' || arg === '--format=json' || (arg === 'json' && argv[index - 1] === '--format'));
}

function rendered({ json, lines, markdown }: CommandResult, { format: asked }: Options): string {
  if (asked === 'json') return `${JSON.stringify(json, null, 2)}\n`;
  return asked === 'markdown' && markdown !== undefined ? markdown() : lines.map((line) => `${line}\n`).join('');
}

function placeLine({ file: path, line, column, sentence }: UsageProblem['places'][number]): string {
  return `${path}:${line}:${column}: ${sentence}`;
}

/** A pipeline has no use for the protocol's package, so it may be missing. */
async function serveAssistants(context: CliContext, options: Options): Promise<CommandResult> {
  const { serveMcp } = await import('./mcp/serve.ts').catch((error: unknown) => {
    const missing = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
    throw missing && error.message.includes('@modelcontextprotocol/sdk') ? new CommandFailure(messages.mcp.missing) : error;
  });
  return serveMcp(context, options);
}
