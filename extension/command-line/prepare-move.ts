import { PathPrefix } from '#contract/mappings.ts';
import type { SiteListEntry } from '#contract/site.ts';
import type { MoveQuestion } from '#extension/setup/sites/plan-move.ts';
import { planMoves, readEnds } from '#extension/setup/sites/plan-moves.ts';
import type { PlannedMoves } from '#extension/setup/sites/plan-moves.ts';
import type { PathChange } from '#extension/setup/sites/rows.ts';
import { authorOf } from '#extension/setup/sites/site-index.ts';
import type { SetupPorts } from '#extension/setup/ports.ts';
import { commandLine as messages } from '#extension/messages/en/command-line.ts';
import type { Options } from './arguments.ts';
import { CommandFailure, UsageProblem } from './cli-context.ts';
import type { CliContext } from './cli-context.ts';
import { connect, must } from './connect.ts';
import { notKnown } from './explain.ts';

export interface PreparedMove extends PlannedMoves {
  readonly organization: string;
  readonly question: MoveQuestion;
  /** Those of the environment that the sites come to. */
  readonly ports: SetupPorts;
}

/** Reads both environments and plans the move of the sites that were named, or of all that the first one delivers. */
export async function prepareMove(context: CliContext, options: Options): Promise<PreparedMove> {
  const { organization, from, to, paths, account } = readOptions(options);
  const connection = await connect(context, options);
  if (!connection.signedIn) throw new CommandFailure(messages.login.needed);
  if (connection.reach === 'service') throw new CommandFailure(messages.move.noAuthoring);
  const [ports, old] = [connection.ports(to), connection.ports(from)];
  const [infoRead, listed] = await Promise.all([ports.service.info(), ports.service.allSites(organization)]);
  const [info, sites] = [must(infoRead, notKnown), must(listed, notKnown)];
  const chosen = chosenOf(sites, organization, from, options.sites);
  const ends = await readEnds({ ports, oldAuthoring: old.authoring }, { from, to, sites, paths }, { chosen, info });
  const question: MoveQuestion = {
    ...ends,
    paths,
    ...(account === undefined ? {} : { account }),
    keepsAccount: options.move?.keepsAccount === true,
    sites,
  };
  const { concurrency } = options;
  const planned = await planMoves({ ports, oldAuthoring: old.authoring }, question, {
    organization,
    info,
    chosen,
    signal: context.signal,
    ...(concurrency === undefined ? {} : { concurrency }),
  });
  return { ...planned, organization, question, ports };
}

function readOptions({ organization, from, move }: Options) {
  if (organization === undefined) throw new UsageProblem(messages.usage.noOrganization);
  if (from === undefined || move?.to === undefined) throw new UsageProblem(messages.move.authors);
  const asked = { organization, from: originOf(from), to: originOf(move.to), paths: move.paths.map(pathChange), account: move.account };
  if (asked.from === asked.to) throw new UsageProblem(messages.move.same);
  return asked;
}

function originOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) throw new UsageProblem(messages.move.author(text));
  return url.origin;
}

function pathChange(text: string): PathChange {
  const [from, to, ...more] = text.split('=').map((path) => path.replace(/\/+$/, ''));
  const isPath = (path: string | undefined): path is string => path !== undefined && path !== '' && PathPrefix.safeParse(path).success;
  if (!isPath(from) || !isPath(to) || more.length > 0) throw new UsageProblem(messages.move.path(text));
  return { from, to };
}

function chosenOf(sites: readonly SiteListEntry[], organization: string, from: string, names: readonly string[]): SiteListEntry[] {
  if (names.length === 0) return sites.filter((site) => authorOf(site) === from);
  return [...new Set(names)].map((name) => {
    const site = sites.find((one) => one.name === name);
    if (site === undefined) throw new UsageProblem(messages.move.noSite(name, organization));
    return site;
  });
}
