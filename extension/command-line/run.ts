import { commandLine as messages } from '#extension/messages/en/command-line.ts';
import { readArguments, wantsJson } from './arguments.ts';
import type { CommandName, Format, Options } from './arguments.ts';
import { apply } from './commands/apply.ts';
import { check } from './commands/check.ts';
import { cloneOne } from './commands/clone.ts';
import { exportSites } from './commands/export.ts';
import { importProjects } from './commands/import.ts';
import { login } from './commands/login.ts';
import { logout } from './commands/logout.ts';
import { mcp } from './commands/mcp.ts';
import { move } from './commands/move.ts';
import { plan } from './commands/plan.ts';
import { rollout } from './commands/rollout.ts';
import { simulate } from './commands/simulate.ts';
import { status } from './commands/status.ts';
import { sync } from './commands/sync.ts';
import { verifyLog } from './commands/verify-log.ts';
import { CommandFailure, UsageProblem } from './cli-context.ts';
import type { CommandResult, CliContext, ExitCode } from './cli-context.ts';
import { VERSION } from './version.ts';

type Command = (context: CliContext, options: Options) => Promise<CommandResult>;

const COMMANDS: Record<CommandName, Command> = {
  login,
  logout,
  plan,
  simulate,
  apply,
  check,
  status,
  sync,
  rollout,
  export: exportSites,
  import: importProjects,
  clone: cloneOne,
  move,
  'verify-log': verifyLog,
  mcp,
};

/** Runs the command line. In: the arguments behind `repoless`. Out: the exit code; what is said goes to the context. */
export async function run(argv: readonly string[], context: CliContext): Promise<ExitCode> {
  const json = wantsJson(argv);
  try {
    const parsed = readArguments(argv);
    if (parsed.kind !== 'command') {
      context.out(parsed.kind === 'help' ? messages.help : `${VERSION}\n`);
      return 0;
    }
    const result = await COMMANDS[parsed.name](context, parsed.options);
    context.out(rendered(result, parsed.options.format));
    return result.code;
  } catch (error) {
    if (!(error instanceof UsageProblem || error instanceof CommandFailure)) throw error;
    const places = error instanceof UsageProblem ? error.places : [];
    if (json) context.out(`${JSON.stringify({ error: error.message, places }, null, 2)}\n`);
    else context.err([...places.map(placeLine), error.message].map((line) => `${line}\n`).join(''));
    return error instanceof UsageProblem ? 2 : 1;
  }
}

function rendered({ json, lines, markdown }: CommandResult, format: Format): string {
  if (format === 'json') return `${JSON.stringify(json, null, 2)}\n`;
  return format === 'markdown' && markdown !== undefined ? markdown() : lines.map((line) => `${line}\n`).join('');
}

function placeLine({ file, line, column, sentence }: UsageProblem['places'][number]): string {
  return `${file}:${line}:${column}: ${sentence}`;
}
