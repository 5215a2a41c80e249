import { Option } from 'commander';
import { assistant } from '@repoless/core/messages/en/assistant.ts';
import { commandLine as messages } from '@repoless/core/messages/en/command-line.ts';
import { apply } from './commands/apply.ts';
import { check } from './commands/check.ts';
import { cloneOne } from './commands/clone.ts';
import { doctor } from './commands/doctor.ts';
import { exportSites } from './commands/export.ts';
import { history as listHistory, undo } from './commands/history.ts';
import { importProjects } from './commands/import.ts';
import { move } from './commands/move.ts';
import { plan, simulate } from './commands/plan.ts';
import { rollout } from './commands/rollout.ts';
import { login, logout } from './commands/session.ts';
import { status } from './commands/status.ts';
import { sync } from './commands/sync.ts';
import { type CliContext, type Command as Work, CommandFailure, type CommandResult, type Options, UsageProblem } from './cli-context.ts';
import { commitName, formatNamed, many, named, one, parallel, repository, versionNumber } from './option-parsers.ts';
import { auditEndpoints } from '@repoless/contract/audit.ts';
import { connect } from './connect.ts';
import { failureLine } from './explain.ts';

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
  one('--to <service>', 'carry the organization that export --from wrote to this service (default of -f: standard input)').conflicts([
    'service',
    'allowContentChange',
    'prune',
    'format',
  ]),
  many('--replace <name>', 'with --to: this site, profiles/<name> or organization may get other values, can be repeated'),
];
/** Orders to an existing rollout. */
export const ORDERS = ['stop', 'resume', 'undo'] as const;
const orders = ORDERS.map((order) =>
  one(`--${order} <id>`, `${order} an existing rollout`).conflicts(['file', 'dryRun', ...ORDERS.filter((other) => other !== order)]),
);
const applyUndo = new Option('--apply', 'with --undo: undo it, instead of showing what that does').conflicts([
  'file',
  'dryRun',
  'stop',
  'resume',
]);

/** The commands: syntax, summary, implementation, and options. */
export const COMMANDS: readonly (readonly [written: string, summary: string, work: Work, options: readonly Option[]])[] = [
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
    [
      file,
      service,
      organization,
      sites,
      concurrency(4, 'repositories'),
      one('--branch <name>', 'the branch (default: main)'),
      one('--commit <sha>', 'serve this earlier commit instead; latest follows the branch again', commitName).conflicts('wait'),
      noWait,
    ],
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
      one('--from <service>', 'everything of the organization at this service, for apply --to').conflicts(['service', 'author', 'code']),
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

/** Pipelines do not need the protocol's package, so it may be missing. */
async function serveAssistants(context: CliContext, options: Options): Promise<CommandResult> {
  const { serveMcp } = await import('./mcp/serve.ts').catch((error: unknown) => {
    const missing = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
    throw missing && error.message.includes('@modelcontextprotocol/sdk') ? new CommandFailure(assistant.missing) : error;
  });
  return serveMcp(context, options);
}

/** Whether the organization's audit trail is unchanged. 0: it is; 3: it is not. */
async function verifyLog(context: CliContext, options: Options): Promise<CommandResult> {
  const { organization } = options;
  if (organization === undefined) throw new UsageProblem(messages.usage.noOrganization);
  const { client, signedIn } = await connect(context, options);
  if (!signedIn) throw new CommandFailure(messages.login.needed);
  let after: number | undefined;
  for (;;) {
    const query = after === undefined ? {} : { after };
    const answered = await client.call(auditEndpoints.verifyLog, { params: { org: organization }, query });
    if (!answered.ok) throw new CommandFailure(failureLine(answered.failure));
    const { verified, hash, broken, links } = answered.value;
    if (broken !== undefined)
      return { code: 3, json: { intact: false, broken }, lines: [messages.verifyLog.broken(organization, broken.sentence)] };
    if (links.next === undefined)
      return {
        code: 0,
        json: { intact: true, entries: verified.to, hash },
        lines: [messages.verifyLog.intact(organization, verified.to, hash)],
      };
    after = verified.to;
  }
}
