import { hostDomains } from '@repoless/contract/service.ts';
import { siteAddress } from '@repoless/contract/addresses.ts';
import { Mapping } from '@repoless/contract/mappings.ts';
import { DEFAULT_REF } from '@repoless/contract/names.ts';
import { type CloneProblem, problemsOfClone, tryClone } from '@repoless/core/clone/clone-site.ts';
import { commandLine as messages } from '@repoless/core/messages/en/command-line.ts';
import { english } from '@repoless/core/messages/english.ts';
import { authorOf } from '@repoless/core/sites/organization-sites.ts';
import { type CliContext, CommandFailure, type CommandResult, type Options, UsageProblem } from '../cli-context.ts';
import { connect, must } from '../connect.ts';
import { failureLine, notKnown, changeLine } from '../explain.ts';

/** Creates a site from the stored configuration of another one, and reports the differences. With --dry-run, nothing is created. */
export async function cloneOne(context: CliContext, options: Options): Promise<CommandResult> {
  const prepared = await prepareClone(context, options);
  return options.dryRun ? prepared.tried : prepared.create();
}

/** A clone that the service would accept. */
interface PreparedClone {
  /** What would be sent, and its description. */
  readonly reviewed: string;
  readonly tried: CommandResult;
  create(): Promise<CommandResult>;
}

/** Tries the requested clone; throws if an option is invalid or the service refuses it. */
export async function prepareClone(context: CliContext, options: Options): Promise<PreparedClone> {
  const { organization, from, siteName, root } = readOptions(options);
  const connection = await connect(context, options);
  if (!connection.signedIn) throw new CommandFailure(messages.login.needed);
  const { service } = connection.ports(connection.service);
  const info = must(await service.info(), notKnown);
  const source = must(await service.configuration(organization, from), (known) =>
    known.state === 'missing' ? new CommandFailure(messages.clone.noSource(from, organization)) : notKnown(known),
  ).config;
  const author = authorOf(source);
  const authoring = connection.reach === 'both' && author !== undefined ? { authoring: connection.ports(author).authoring } : {};
  const found = await tryClone({ service, ...authoring }, from, { organization, siteName, contentRoot: root });
  if (found.state === 'blocked') throw new CommandFailure(found.problems.map(problemLine).join('\n'));
  const { call, differences, leftOut, untried } = found.clone;
  const preview = siteAddress(hostDomains(info), 'preview', { ref: DEFAULT_REF, site: siteName, org: organization });
  const notes = [...differences.map(changeLine), ...leftOut.map((name) => english.sites.clone.leftOut[name])];
  const result = (created: boolean): CommandResult => ({
    code: 0,
    json: { site: siteName, from, created, tried: untried === undefined, preview, leftOut, changes: notes },
    lines: [
      ...notes.map((line) => `  ${line}`),
      ...(untried === undefined ? [] : [messages.plan.untried(failureLine(untried))]),
      created ? english.sites.clone.created({ site: siteName, source: from }) : messages.clone.tried(siteName, from),
    ],
  });
  return {
    reviewed: JSON.stringify([call, result(false).json]),
    tried: result(false),
    async create() {
      const answer = await service.send(call);
      if (answer.state !== 'known') throw new CommandFailure(problemsOfClone(answer).map(problemLine).join('\n'));
      return result(true);
    },
  };
}

function readOptions({ organization, from, contentRoot = '', sites }: Options) {
  const [siteName, ...others] = sites;
  if (organization === undefined) throw new UsageProblem(messages.usage.noOrganization);
  if (from === undefined || siteName === undefined || others.length > 0) throw new UsageProblem(messages.clone.names);
  const root = contentRoot.replace(/\/+$/, '');
  const problem = Mapping.safeParse(`${root}/:/`).error?.issues[0]?.message;
  if (root === '' || problem !== undefined) throw new UsageProblem(problem ?? messages.clone.noRoot);
  return { organization, from, siteName, root };
}

function problemLine({ message }: CloneProblem): string {
  if (message.kind === 'sentence') return message.sentence;
  return message.kind === 'failure' ? failureLine(message.failure) : english.sites.clone.problems[message.kind];
}
