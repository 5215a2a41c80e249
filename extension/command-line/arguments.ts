import { parseArgs } from 'node:util';
import { DEFAULT_REF, nameProblem } from '#contract/names.ts';
import { commandLine as messages } from '#extension/messages/en/command-line.ts';
import { UsageProblem } from './cli-context.ts';

export const COMMANDS = [
  'login',
  'logout',
  'plan',
  'simulate',
  'apply',
  'check',
  'status',
  'sync',
  'rollout',
  'export',
  'import',
  'clone',
  'move',
  'verify-log',
  'mcp',
] as const;
export type CommandName = (typeof COMMANDS)[number];

const OPTIONS = {
  file: { type: 'string', short: 'f' },
  service: { type: 'string' },
  organization: { type: 'string' },
  author: { type: 'string' },
  site: { type: 'string', multiple: true },
  code: { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
  path: { type: 'string', multiple: true },
  'technical-account': { type: 'string' },
  'keep-account': { type: 'boolean' },
  apply: { type: 'boolean' },
  'content-root': { type: 'string' },
  out: { type: 'string', short: 'o' },
  concurrency: { type: 'string' },
  branch: { type: 'string' },
  format: { type: 'string' },
  previous: { type: 'string', multiple: true },
  prune: { type: 'boolean' },
  'allow-content-change': { type: 'string', multiple: true },
  'no-wait': { type: 'boolean' },
  stop: { type: 'string' },
  resume: { type: 'string' },
  undo: { type: 'string' },
  'no-record': { type: 'boolean' },
  'dry-run': { type: 'boolean' },
  everywhere: { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
} as const;

/** Orders to a rollout that was started. */
const ORDERS = ['stop', 'resume', 'undo'] as const;
const FILE = ['file', 'service', 'site', 'concurrency'] as const;
const WRITTEN = [...FILE, 'allow-content-change', 'prune', 'previous'] as const;
/** What each command uses; anything else that is given to it is refused. */
const USED: Record<CommandName, readonly (keyof typeof OPTIONS)[]> = {
  login: ['service'],
  logout: ['service', 'everywhere'],
  plan: [...WRITTEN, 'format'],
  simulate: FILE,
  apply: [...WRITTEN, 'dry-run'],
  check: [...FILE, 'no-record'],
  status: FILE,
  sync: [...FILE, 'organization', 'branch', 'no-wait'],
  rollout: ['file', 'service', 'organization', 'dry-run', 'no-wait', ...ORDERS],
  export: ['service', 'organization', 'author', 'site', 'code', 'out', 'concurrency'],
  import: ['service', 'organization', 'author', 'site', 'code', 'content-root', 'out'],
  clone: ['service', 'organization', 'from', 'site', 'content-root', 'dry-run'],
  move: ['service', 'organization', 'from', 'to', 'path', 'site', 'technical-account', 'keep-account', 'apply', 'format', 'concurrency'],
  'verify-log': ['service', 'organization'],
  mcp: ['file', 'service', 'concurrency'],
};

export const FORMATS = ['text', 'json', 'markdown'] as const;
export type Format = (typeof FORMATS)[number];

export interface Options {
  readonly file?: string;
  readonly service?: string;
  readonly organization?: string;
  readonly author?: string;
  readonly sites: readonly string[];
  readonly code?: { readonly owner: string; readonly repo: string };
  /** clone: the site whose configuration is taken; move: the author that the sites leave. */
  readonly from?: string;
  readonly move?: MoveOptions;
  readonly contentRoot?: string;
  readonly out?: string;
  readonly concurrency?: number;
  /** sync: the name that the repository gives it. */
  readonly branch: string;
  /** sync, rollout: until it has ended. */
  readonly wait: boolean;
  /** check: the service keeps what was found, for everybody. */
  readonly record: boolean;
  readonly dryRun: boolean;
  /** plan, apply: the files as they were before; what they named and the file no longer names is removed. */
  readonly previous?: readonly string[];
  /** plan, apply: sites whose content may be replaced by other content. */
  readonly contentChanges: readonly string[];
  /** rollout: what one that was started is to do, instead of starting one. */
  readonly order?: { readonly order: (typeof ORDERS)[number]; readonly rollout: string };
  /** logout: every session of the person. */
  readonly everywhere: boolean;
  readonly format: Format;
  /** What stands beside the options: the folders of import. The sites of move are among the sites. */
  readonly folders: readonly string[];
}

export interface MoveOptions {
  /** The author that the sites come to. */
  readonly to?: string;
  /** `<prefix>=<prefix>` where content roots differ. */
  readonly paths: readonly string[];
  /** That of the author that the sites come to, where it shows none. */
  readonly account?: string;
  readonly keepsAccount: boolean;
  /** Else it is only planned. */
  readonly apply: boolean;
}

export type Arguments =
  { readonly kind: 'help' | 'version' } | { readonly kind: 'command'; readonly name: CommandName; readonly options: Options };

/** Reads the arguments behind `repoless`; throws UsageProblem where they mean nothing. */
export function readArguments(argv: readonly string[]): Arguments {
  const { values, positionals } = parsed(argv);
  if (values.help === true) return { kind: 'help' };
  if (values.version === true) return { kind: 'version' };
  const [first, ...folders] = positionals;
  if (first === undefined) throw new UsageProblem(`${messages.usage.noCommand} ${messages.usage.seeHelp}`);
  const name = COMMANDS.find((command) => command === first);
  if (name === undefined) throw new UsageProblem(`${messages.usage.unknownCommand(first)} ${messages.usage.seeHelp}`);
  const unused = Object.keys(values).find((option) => option !== 'json' && !USED[name].some((used) => used === option));
  if (unused !== undefined) throw new UsageProblem(`${messages.usage.unused(`--${unused}`, name)} ${messages.usage.seeHelp}`);
  const [surplus] = name === 'import' || name === 'move' ? [] : folders;
  if (surplus !== undefined) throw new UsageProblem(`${messages.usage.unused(surplus, name)} ${messages.usage.seeHelp}`);
  if (name === 'import' && (values.site ?? []).length > 1) throw new UsageProblem(messages.usage.oneSite);
  const { file, service, organization, author, out, from } = values;
  const made = name === 'clone' || name === 'import' ? (values.site ?? []) : [];
  refuseNames('organization', given({ '--organization': organization }));
  refuseNames('site', given({ '--from': name === 'clone' ? from : undefined, '--site': made[0] }));
  const options: Options = {
    ...given({ file, service, organization, author, out, from }),
    ...given({ previous: previousOf(values), order: orderOf(values) }),
    ...given({ contentRoot: values['content-root'], code: codeOf(values.code), concurrency: concurrencyOf(values.concurrency) }),
    ...given({ move: name === 'move' ? moveOf(values) : undefined }),
    folders,
    sites: [...(values.site ?? []), ...(name === 'move' ? folders : [])],
    contentChanges: values['allow-content-change'] ?? [],
    dryRun: values['dry-run'] === true,
    everywhere: values.everywhere === true,
    branch: values.branch ?? DEFAULT_REF,
    wait: values['no-wait'] !== true,
    record: values['no-record'] !== true,
    format: formatOf(name, values.format, values.json),
  };
  return { kind: 'command', name, options };
}

/** Whether JSON was asked for, even where the rest of the arguments means nothing. */
export function wantsJson(argv: readonly string[]): boolean {
  return argv.some((arg, index) => arg === '--json' || arg === '--format=json' || (arg === 'json' && argv[index - 1] === '--format'));
}

function parsed(argv: readonly string[]) {
  try {
    const { tokens, ...read } = parseArgs({ args: [...argv], options: OPTIONS, allowPositionals: true, tokens: true });
    // Of two values the first one would be left out silently.
    const single = tokens.flatMap((token) => (token.kind === 'option' && takesOne(token.name) ? [token.name] : []));
    const twice = single.find((name, index) => single.indexOf(name) !== index);
    if (twice !== undefined) throw new UsageProblem(messages.usage.twice(`--${twice}`));
    return read;
  } catch (error) {
    throw error instanceof UsageProblem ? error : new UsageProblem(`${optionProblem(error)} ${messages.usage.seeHelp}`);
  }
}

function takesOne(name: keyof typeof OPTIONS): boolean {
  const option = OPTIONS[name];
  return option.type === 'string' && !('multiple' in option);
}

/** What is wrong with an option, which Node.js names in quotes. */
function optionProblem(error: unknown): string {
  const said = error instanceof Error ? error.message : String(error);
  const option = /'([^']*)'/.exec(said)?.[1];
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (option === undefined) return said;
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') return messages.usage.unknownOption(option);
  if (code !== 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE') return said;
  return said.includes('does not take') ? messages.usage.surplusValue(option) : messages.usage.noValue(option.replace(' <value>', ''));
}

/** What no organization or site can be called is refused before anybody is asked. In: names by their options. */
function refuseNames(kind: 'organization' | 'site', names: Readonly<Record<string, string>>): void {
  for (const [option, name] of Object.entries(names)) {
    const problem = nameProblem(kind, name);
    if (problem !== undefined) throw new UsageProblem(messages.usage.name(option, problem));
  }
}

type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Without what is not there. */
function given<T extends object>(values: T): Given<T> {
  // Safe: an entry that is undefined is left out, which is all that `Given` takes from the type.
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Given<T>;
}

interface Prune {
  readonly prune?: boolean | undefined;
  readonly previous?: readonly string[] | undefined;
  readonly file?: string | undefined;
  readonly site?: readonly string[] | undefined;
}

/** A site is removed only where it is told which file had it. */
function previousOf({ prune, previous, file, site }: Prune): Options['previous'] {
  if (prune !== true && previous === undefined) return undefined;
  if (previous === undefined) throw new UsageProblem(messages.prune.noPrevious);
  if (prune !== true) throw new UsageProblem(messages.prune.noPrune);
  if (site !== undefined) throw new UsageProblem(messages.prune.withSite);
  if ([file, ...previous].filter((name) => name === '-').length > 1) throw new UsageProblem(messages.prune.twoInputs);
  return previous;
}

function orderOf(values: Readonly<Partial<Record<(typeof ORDERS)[number] | 'file', string>>> & { 'dry-run'?: boolean }): Options['order'] {
  const [first, second] = ORDERS.flatMap((order) => (values[order] === undefined ? [] : [{ order, rollout: values[order] }]));
  if (second !== undefined || (first !== undefined && (values.file !== undefined || values['dry-run'] === true)))
    throw new UsageProblem(messages.rollout.oneOrder);
  return first;
}

interface Move {
  readonly to?: string;
  readonly path?: string[];
  readonly 'technical-account'?: string;
  readonly 'keep-account'?: boolean;
  readonly apply?: boolean;
}

function moveOf({ to, path: paths = [], apply = false, ...values }: Move): MoveOptions {
  const account = values['technical-account'];
  return { ...given({ to, account }), paths, apply, keepsAccount: values['keep-account'] === true };
}

function codeOf(text: string | undefined): Options['code'] {
  if (text === undefined) return undefined;
  const [owner, repo, ...more] = text.split('/');
  if (owner === undefined || owner === '' || repo === undefined || repo === '' || more.length > 0)
    throw new UsageProblem(messages.usage.code(text));
  return { owner, repo };
}

function formatOf(command: CommandName, text: string | undefined, json: boolean | undefined): Format {
  if (text === undefined) return json === true ? 'json' : 'text';
  const format = FORMATS.find((one) => one === text);
  if (format === undefined) throw new UsageProblem(messages.usage.format(text));
  if (json === true && format !== 'json') throw new UsageProblem(messages.usage.twoFormats);
  if (format === 'markdown' && command !== 'plan' && command !== 'move') throw new UsageProblem(messages.usage.markdown);
  return format;
}

function concurrencyOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1 || number > 32) throw new UsageProblem(messages.usage.concurrency(text));
  return number;
}
