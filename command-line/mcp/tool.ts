import { z } from 'zod';
import { assistant as messages } from '@repoless/core/messages/en/assistant.ts';
import { createHash, randomUUID } from 'node:crypto';
import { DEFAULT_OPTIONS, UsageProblem } from '../cli-context.ts';
import type { CliContext, CommandResult, Options } from '../cli-context.ts';

export type ToolName = keyof typeof messages.tools;

export interface ToolContext {
  readonly context: CliContext;
  /** The options that the server was started with. */
  readonly options: Pick<Options, 'service' | 'concurrency' | 'file'>;
  /**
   * Maximum characters and values of a file that a caller passes, which must then be JSON; absent: YAML too, for as long as a call takes.
   */
  readonly jsonFile?: { readonly characters: number; readonly values: number };
  /** The plan that the caller agreed to. */
  applyPlan(id: string): Promise<CommandResult>;
}

/** A tool's answer; with a proposal if something can be applied now. */
export interface ToolAnswer extends CommandResult {
  readonly proposal?: Proposal;
}

export interface Tool {
  readonly name: ToolName;
  readonly input: z.ZodObject;
  readonly writes: boolean;
  run(toolContext: ToolContext, input: unknown): Promise<ToolAnswer>;
}

/** A tool whose input is parsed by its own schema; unknown members are refused. */
export function tool<T extends z.ZodObject>(
  name: ToolName,
  input: T,
  run: (toolContext: ToolContext, input: z.output<T>) => Promise<ToolAnswer>,
  writes = false,
): Tool {
  return { name, input, writes, run: (toolContext, raw) => run(toolContext, input.parse(raw)) };
}

const { parameters } = messages;
export const FileInput = z.strictObject({
  file: z.string().max(5_000_000).optional().describe(parameters.file),
  sites: z.array(z.string()).optional().describe(parameters.sites),
});
type FileInput = z.output<typeof FileInput>;

/** The command's own options, as on a command line. */
export function optionsFor({ options, jsonFile }: ToolContext, more: Partial<Options>): Options {
  const { service, concurrency } = options;
  return {
    ...DEFAULT_OPTIONS,
    ...(service === undefined ? {} : { service }),
    ...(concurrency === undefined ? {} : { concurrency }),
    // Tools that check are declared as read-only.
    record: false,
    format: jsonFile === undefined ? 'text' : 'json',
    ...more,
  };
}

/** A context that reads the caller's file instead of standard input, or otherwise the file that the server was started with. */
export function withFile(toolContext: ToolContext, { file, sites = [] }: FileInput, more: Partial<Options> = {}) {
  const { context, options, jsonFile } = toolContext;
  if (file !== undefined) {
    if (jsonFile !== undefined && file.length > jsonFile.characters) throw new UsageProblem(messages.refused.longFile(jsonFile.characters));
    // Text from an assistant may come from anyone: it must never choose where the person's token is sent.
    const service = options.service ?? context.env['REPOLESS_SERVICE'];
    if (service === undefined || service === '') throw new UsageProblem(messages.refused.noService);
    const read = { readIn: async () => file, ...(jsonFile !== undefined && { jsonValues: jsonFile.values }) };
    return { context: { ...context, ...read }, options: optionsFor(toolContext, { service, file: '-', sites, ...more }) };
  }
  if (options.file === undefined) throw new UsageProblem(messages.refused.noFile);
  return { context, options: optionsFor(toolContext, { file: options.file, sites, ...more }) };
}

/** A change that is shown before it is applied. */
export interface Proposal {
  /** What was shown. */
  readonly reviewed: string;
  run(): Promise<CommandResult>;
}

/** A stored proposal: enough to make it again, and to tell whether it still is what was shown. */
export interface StoredPlan {
  /** The tool that proposed it, and its input. */
  readonly tool: string;
  readonly input: unknown;
  readonly digest: string;
}

/** Stores plans until they are applied, each for its creator only. */
export interface Plans {
  /** Returns the identifier that applies it once. */
  store(plan: StoredPlan): Promise<string>;
  /** Undefined if there is none, or it was taken; only one caller gets it. */
  take(id: string): Promise<StoredPlan | undefined>;
}

/** Milliseconds for which a plan is valid. */
export const PLAN_LIFETIME = 30 * 60 * 1000;

/** A digest of what was shown. */
export function digestOf({ reviewed }: Proposal): string {
  return createHash('sha256').update(reviewed).digest('base64url');
}

/** Plans of a program that serves one person, while it runs. */
export function plansInMemory(now: () => Date): Plans {
  const stored = new Map<string, { readonly plan: StoredPlan; readonly until: number }>();
  return {
    async store(plan) {
      const [oldest] = stored.keys();
      if (stored.size >= MOST && oldest !== undefined) stored.delete(oldest);
      const id = randomUUID();
      stored.set(id, { plan, until: now().getTime() + PLAN_LIFETIME });
      return id;
    },
    async take(id) {
      const found = stored.get(id);
      stored.delete(id);
      return found === undefined || found.until < now().getTime() ? undefined : found.plan;
    },
  };
}

const MOST = 50;
