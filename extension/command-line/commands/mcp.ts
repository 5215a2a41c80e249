import { commandLine as messages } from '#extension/messages/en/command-line.ts';
import type { Options } from '../arguments.ts';
import { CommandFailure } from '../cli-context.ts';
import type { CommandResult, CliContext } from '../cli-context.ts';

/** Serves assistants until they leave. A pipeline has no use for the protocol's package, so it may be missing. */
export async function mcp(context: CliContext, options: Options): Promise<CommandResult> {
  const { serveMcp } = await import('../mcp/serve.ts').catch((error: unknown) => {
    if (isMissing(error)) throw new CommandFailure(messages.mcp.missing);
    throw error;
  });
  return serveMcp(context, options);
}

function isMissing(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    error.code === 'ERR_MODULE_NOT_FOUND' &&
    error.message.includes('@modelcontextprotocol/sdk')
  );
}
