import { z } from 'zod';
import { DEFAULT_REF } from '#contract/names.ts';
import { assistant as messages } from '#extension/messages/en/assistant.ts';
import type { Options } from '../arguments.ts';
import { UsageProblem } from '../cli-context.ts';
import type { CliContext, CommandResult } from '../cli-context.ts';
import type { Proposal } from './proposals.ts';

export type ToolName = keyof typeof messages.tools;

/** What a tool works with. */
export interface ToolContext {
  readonly context: CliContext;
  /** What the server was started with. */
  readonly options: Pick<Options, 'service' | 'concurrency' | 'file'>;
  /** Characters and values of a file that a caller passes, which is JSON then; absent: YAML as well, as long as a call takes. */
  readonly jsonFile?: { readonly characters: number; readonly values: number };
  /** The plan that the caller agreed to. */
  applyPlan(id: string): Promise<CommandResult>;
}

/** What a tool answers; with a proposal where something can be done now. */
export interface ToolAnswer extends CommandResult {
  readonly proposal?: Proposal;
}

export interface Tool {
  readonly name: ToolName;
  readonly input: z.ZodObject;
  readonly writes: boolean;
  run(given: ToolContext, input: unknown): Promise<ToolAnswer>;
}

/** A tool whose input is parsed by its own schema; a member that the schema does not have is refused. */
export function tool<T extends z.ZodObject>(
  name: ToolName,
  input: T,
  run: (given: ToolContext, input: z.output<T>) => Promise<ToolAnswer>,
  writes = false,
): Tool {
  return { name, input, writes, run: (given, raw) => run(given, input.parse(raw)) };
}

const { parameters } = messages;
export const FileInput = z.strictObject({
  file: z.string().max(5_000_000).optional().describe(parameters.file),
  sites: z.array(z.string()).optional().describe(parameters.sites),
});
type FileInput = z.output<typeof FileInput>;

/** The command's own options, as somebody would have written them. */
export function optionsFor({ options, jsonFile }: ToolContext, more: Partial<Options>): Options {
  const { service, concurrency } = options;
  return {
    ...(service === undefined ? {} : { service }),
    ...(concurrency === undefined ? {} : { concurrency }),
    sites: [],
    contentChanges: [],
    branch: DEFAULT_REF,
    wait: true,
    // Assistants are told that a check changes nothing.
    record: false,
    dryRun: false,
    everywhere: false,
    format: jsonFile === undefined ? 'text' : 'json',
    folders: [],
    ...more,
  };
}

/** The same with the file that the caller passes, in the place of standard input, or else the one that the server was started with. */
export function withFile(given: ToolContext, { file, sites = [] }: FileInput, more: Partial<Options> = {}) {
  const { context, options, jsonFile } = given;
  if (file !== undefined) {
    if (jsonFile !== undefined && file.length > jsonFile.characters) throw new UsageProblem(messages.refused.longFile(jsonFile.characters));
    // Text that an assistant passes may come from anybody: it never chooses where the person's token is sent.
    const service = options.service ?? context.env['REPOLESS_SERVICE'];
    if (service === undefined || service === '') throw new UsageProblem(messages.refused.noService);
    const read = { readIn: async () => file, ...(jsonFile !== undefined && { jsonValues: jsonFile.values }) };
    return { context: { ...context, ...read }, options: optionsFor(given, { service, file: '-', sites, ...more }) };
  }
  if (options.file === undefined) throw new UsageProblem(messages.refused.noFile);
  return { context, options: optionsFor(given, { file: options.file, sites, ...more }) };
}
