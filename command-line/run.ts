import { Command, CommanderError, Option } from 'commander';
import { commandLine as messages } from '@repoless/core/messages/en/command-line.ts';
import {
  CommandFailure,
  DEFAULT_OPTIONS,
  UsageProblem,
  type CliContext,
  type CommandResult,
  type ExitCode,
  type Options,
} from './cli-context.ts';
import { VERSION } from '@repoless/contract/version.ts';
import { OPERATOR_COMMANDS } from './operate.ts';
import { COMMANDS, ORDERS } from './commands.ts';
import { harmless } from './explain.ts';
import { requireProxies } from './network.ts';

const MORE_HELP = `
On the host of the service, with its settings (see docs/operations.md):
  ${OPERATOR_COMMANDS.join(', ')}

Environment:
  REPOLESS_TOKEN            a token for the service, instead of login
  REPOLESS_AUTHORING_TOKEN  a token for the authoring system; without it, only the service is changed and checked
  REPOLESS_AUTHOR_HOSTS     on the hosted service: the authors to which that token is sent, with commas between
  REPOLESS_SERVICE          address of the service
  HTTPS_PROXY, NO_PROXY     the proxy of your network, and the hosts that need none

Exit codes:
  0  done, or nothing to do
  1  something failed
  2  the command or the file is invalid; nothing was done
  3  plan, move, rollout --dry-run or --undo: changes are pending; check, verify-log: errors were found;
     simulate: a page would lose its address or collide
  4  check, simulate: no errors, but not everything could be checked
`;

/** Runs the command line with the arguments after `repoless`. Returns the exit code; output goes to the context. */
export async function run(argv: readonly string[], base: CliContext): Promise<ExitCode> {
  const context: CliContext = { ...base, out: (text) => base.out(harmless(text)), err: (text) => base.err(harmless(text)) };
  let code: ExitCode = 0;
  const program = new Command('repoless')
    .description('Many sites on one code base, from a declarative file.')
    .version(VERSION, '--version')
    // The option of `undo` has the same name.
    .enablePositionalOptions()
    .addHelpText('after', MORE_HELP)
    .configureOutput({ writeOut: context.out, writeErr: () => undefined })
    .exitOverride();
  for (const [name, summary, work, taken] of COMMANDS) {
    const command = program.command(name).description(summary);
    for (const option of taken) command.addOption(option);
    command.addOption(new Option('--json', 'print JSON'));
    command.action(async () => {
      const options = optionsOf(command);
      requireProxies(context.env);
      const result = await work(context, options);
      context.out(rendered(result, options));
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
    const locations = problem instanceof UsageProblem ? problem.locations : [];
    if (wantsJson(argv)) context.out(`${JSON.stringify({ error: problem.message, places: locations }, null, 2)}\n`);
    else context.err([...locations.map(locationLine), problem.message].map((line) => `${line}\n`).join(''));
    return problem instanceof UsageProblem ? 2 : 1;
  }
}

/** The parsed options of the commands. */
interface ParsedOptions extends Partial<Omit<Options, 'sites' | 'paths' | 'contentChanges' | 'replaced' | 'folders' | 'order'>> {
  readonly site?: string | readonly string[];
  readonly path?: readonly string[];
  readonly allowContentChange?: readonly string[];
  readonly replace?: readonly string[];
  readonly stop?: string;
  readonly resume?: string;
  readonly undo?: string;
  readonly prune?: boolean;
  readonly json?: boolean;
}

function optionsOf(command: Command): Options {
  const parsed = command.opts<ParsedOptions>();
  const { site = [], path: paths = [], allowContentChange: contentChanges = [], replace: replaced = [], json } = parsed;
  refusePruning(parsed);
  if (replaced.length > 0 && parsed.to === undefined) throw new UsageProblem(messages.transfer.noTarget);
  if (json === true && parsed.format !== undefined && parsed.format !== 'json') throw new UsageProblem(messages.usage.twoFormats);
  const order = ORDERS.flatMap((name) => (parsed[name] === undefined ? [] : [{ order: name, rollout: parsed[name] }]))[0];
  return {
    ...DEFAULT_OPTIONS,
    ...parsed,
    ...(json === true ? { format: 'json' } : {}),
    ...(order === undefined ? {} : { order }),
    sites: [site, command.name() === 'move' ? command.args : []].flat(),
    folders: command.args,
    paths,
    contentChanges,
    replaced,
  };
}

/** A site is removed only if an earlier file names it. */
function refusePruning({ prune, previous, file: path }: ParsedOptions): void {
  if (prune === true && previous === undefined) throw new UsageProblem(messages.prune.noPrevious);
  if (prune !== true && previous !== undefined) throw new UsageProblem(messages.prune.noPrune);
  if ([path, ...(previous ?? [])].filter((name) => name === '-').length > 1) throw new UsageProblem(messages.prune.twoInputs);
}

function usageProblem({ code, message }: CommanderError): UsageProblem {
  return new UsageProblem(
    code === 'commander.help' ? messages.usage.noCommand : `${message.replace(/^error: /, '')}\nSee repoless --help.`,
  );
}

/** Whether JSON was requested, even if the other arguments are invalid. */
function wantsJson(argv: readonly string[]): boolean {
  return argv.some((arg, index) => arg === '--json' || arg === '--format=json' || (arg === 'json' && argv[index - 1] === '--format'));
}

function rendered({ json, lines, markdown }: CommandResult, { format: requestedFormat }: Options): string {
  if (requestedFormat === 'json') return `${JSON.stringify(json, null, 2)}\n`;
  return requestedFormat === 'markdown' && markdown !== undefined ? markdown() : lines.map((line) => `${line}\n`).join('');
}

function locationLine({ file: path, line, column, sentence }: UsageProblem['locations'][number]): string {
  return `${path}:${line}:${column}: ${sentence}`;
}
