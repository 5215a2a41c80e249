import { DEFAULT_REF } from '@repoless/contract/names.ts';

/** The environment of the command line; tests pass their own. */
export interface CliContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly configDirectory: string;
  readonly fetch: typeof fetch;
  readonly signal: AbortSignal;
  out(text: string): void;
  err(text: string): void;
  readIn(): Promise<string>;
  /** The input is JSON with at most this many values: a shared service has no time for YAML. Absent: YAML, which includes JSON. */
  readonly jsonValues?: number;
  wait(milliseconds: number, signal: AbortSignal): Promise<void>;
  now(): Date;
}

export interface Options {
  readonly file?: string;
  readonly service?: string;
  /** Folder for the changes of a hosted service; defaults to a folder next to the file. */
  readonly history?: string;
  readonly organization?: string;
  readonly author?: string;
  readonly sites: readonly string[];
  readonly code?: { readonly owner: string; readonly repo: string };
  /**
   * clone: the site whose configuration is copied; move: the author that the sites leave; export: the service whose organization is
   * exported.
   */
  readonly from?: string;
  /** move: the author that the sites move to; plan, apply: the service that an organization is transferred to. */
  readonly to?: string;
  /** plan, apply with `to`: what may replace other values: names of sites, `profiles/<name>`, `organization`. */
  readonly replaced: readonly string[];
  /** move: `<prefix>=<prefix>` if content roots differ. */
  readonly paths: readonly string[];
  readonly technicalAccount?: string;
  readonly keepAccount: boolean;
  /** move, rollout --undo: without it, only plans. */
  readonly apply: boolean;
  readonly contentRoot?: string;
  readonly out?: string;
  readonly concurrency?: number;
  /** sync: the name of the branch in the repository. */
  readonly branch: string;
  /** sync: the commit to serve until further notice, or `latest`; nothing is synchronized then. */
  readonly commit?: string;
  /** sync, rollout: waits for the end. */
  readonly wait: boolean;
  /** check: the service stores the findings. */
  readonly record: boolean;
  readonly dryRun: boolean;
  /** undo: confirms grave consequences. */
  readonly yes: boolean;
  /** login: reads the token from standard input. */
  readonly paste: boolean;
  /** undo: the version whose change is undone; defaults to the last one. */
  readonly version?: number;
  /** plan, apply: earlier versions of the file; sites that only they name are removed. */
  readonly previous?: readonly string[];
  /** plan, apply: sites whose content may be replaced by other content. */
  readonly contentChanges: readonly string[];
  /** rollout: an order to an existing one, instead of starting one. */
  readonly order?: { readonly order: 'stop' | 'resume' | 'undo'; readonly rollout: string };
  /** logout: every session of the person. */
  readonly everywhere: boolean;
  readonly format: Format;
  /** import: the project folders. */
  readonly folders: readonly string[];
}

export const FORMATS = ['text', 'json', 'markdown'] as const;
export type Format = (typeof FORMATS)[number];

export const DEFAULT_OPTIONS: Options = {
  sites: [],
  paths: [],
  contentChanges: [],
  replaced: [],
  folders: [],
  keepAccount: false,
  apply: false,
  branch: DEFAULT_REF,
  wait: true,
  record: true,
  dryRun: false,
  yes: false,
  paste: false,
  everywhere: false,
  format: 'text',
};

/** 0 done or nothing to do, 1 failed, 2 invalid command or file, 3 changes pending or something found, 4 fine as far as it was checked. */
export type ExitCode = 0 | 1 | 2 | 3 | 4;

/** The result of a command, for programs and for people. */
export interface CommandResult {
  readonly code: ExitCode;
  readonly json: unknown;
  readonly lines: readonly string[];
  /** Not a failure: the service continues what the command no longer waits for. */
  readonly isUnfinished?: boolean;
  /** For a comment of a pull request, if the command has such a form. */
  readonly markdown?: () => string;
}

export type Command = (context: CliContext, options: Options) => Promise<CommandResult>;

/** The command or the file is invalid; nothing was done. */
export class UsageProblem extends Error {
  readonly locations: readonly FileLocation[];
  constructor(sentence: string, locations: readonly FileLocation[] = []) {
    super(sentence);
    this.name = 'UsageProblem';
    this.locations = locations;
  }
}

/** A location in the file, and the problem there. Lines and columns count from 1. */
export interface FileLocation {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly pointer: string;
  readonly sentence: string;
}

/** Something required is unavailable. */
export class CommandFailure extends Error {}
