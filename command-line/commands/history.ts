import type { VersionEntry } from '@repoless/contract/history.ts';
import { describeChange } from '@repoless/core/history/describe-change.ts';
import { createHistoryPort } from '@repoless/core/api/history-port.ts';
import { createDryRuns } from '@repoless/core/api/dry-run.ts';
import type { HistoryPort, HistorySubject, StoredDocument } from '@repoless/core/history/history-port.ts';
import { undoChange } from '@repoless/core/history/undo-change.ts';
import { commandLine as messages } from '@repoless/core/messages/en/command-line.ts';
import { type CliContext, CommandFailure, type CommandResult, type Options, UsageProblem } from '../cli-context.ts';
import { connect, must } from '../connect.ts';
import { consequenceLines, notKnown, changeLine, onOneLine } from '../explain.ts';

/** Versions listed. */
const SHOWN = 20;

/** Lists who changed a site and when, the newest first, with the details of the last change. */
export async function history(context: CliContext, options: Options): Promise<CommandResult> {
  const { port, subject, title } = await subjectOf(context, options);
  const { versions } = await listed(port, subject);
  const latest = versions[0] === undefined ? [] : await changesOf(port, subject, versions, versions[0].version);
  const shown = versions.slice(0, SHOWN);
  return {
    code: 0,
    json: { subject: title, versions },
    lines: [
      ...(shown.length === 0
        ? [messages.history.none(title)]
        : shown.map((entry) => messages.history.version({ ...entry, ...(entry.name !== undefined && { name: onOneLine(entry.name) }) }))),
      ...(versions.length > SHOWN ? [messages.history.more(versions.length - SHOWN)] : []),
      ...(latest.length === 0 ? [] : [messages.history.last, ...latest.map((line) => `  ${line}`)]),
    ],
  };
}

/**
 * Undoes the change of one version, by default the last one, otherwise `--version`; later changes stay. 0: undone; 1: refused; 3: with
 * `--dry-run`.
 */
export async function undo(context: CliContext, options: Options): Promise<CommandResult> {
  const { port, subject, title } = await subjectOf(context, options);
  const { versions } = await listed(port, subject);
  const version = options.version ?? versions[0]?.version;
  if (version === undefined) throw new CommandFailure(messages.history.none(title));
  const [before, after] = await pairOf(port, subject, versions, version);
  const current = must(await port.current(subject), notKnown);
  if (before === undefined) throw new CommandFailure(messages.undo.first(title, version));
  const undone = undoChange(before, after, current.data);
  if (undone.state === 'overlaps') throw new CommandFailure(messages.undo.overlaps(version, undone.pointers));
  if (undone.state === 'undone') return { code: 0, json: { version, undone: true, changes: [] }, lines: [messages.undo.nothing(version)] };
  const restoring = { version, document: undone.document, etag: current.etag, confirm: options.yes };
  const tried = must(await port.dryRun(subject, { ...restoring, confirm: true }), notKnown);
  const changes = describeChange(current.data, undone.document).map(changeLine);
  const notes = [...changes.map((line) => `  ${line}`), ...consequenceLines(tried.consequences ?? [])];
  if (options.dryRun) return { code: 3, json: { version, undone: false, changes }, lines: [messages.undo.would(title, version), ...notes] };
  const isGrave = (tried.consequences ?? []).some(({ grave }) => grave);
  if (isGrave && !options.yes) throw new CommandFailure([messages.undo.would(title, version), ...notes, messages.undo.confirm].join('\n'));
  must(await port.restore(subject, restoring), notKnown);
  return { code: 0, json: { version, undone: true, changes }, lines: [messages.undo.done(title, version), ...notes] };
}

interface Subject {
  readonly port: HistoryPort;
  readonly subject: HistorySubject;
  readonly title: string;
}

async function subjectOf(context: CliContext, options: Options): Promise<Subject> {
  const { organization, sites } = options;
  if (organization === undefined) throw new UsageProblem(messages.usage.noOrganization);
  const [site] = sites;
  if (site === undefined || sites.length > 1) throw new UsageProblem(messages.usage.oneSite);
  const { client } = await connect(context, options);
  return {
    port: createHistoryPort(client, createDryRuns(client)),
    subject: { kind: 'site', organization, name: site },
    title: `${organization}/${site}`,
  };
}

async function listed(port: HistoryPort, subject: HistorySubject): Promise<{ readonly versions: readonly VersionEntry[] }> {
  const list = await port.versions(subject);
  return list.state === 'missing' ? { versions: [] } : must(list, notKnown);
}

/** The document before and after a version. Undefined: there was none. */
async function pairOf(
  port: HistoryPort,
  subject: HistorySubject,
  versions: readonly VersionEntry[],
  version: number,
): Promise<[before: StoredDocument | undefined, after: StoredDocument]> {
  const at = versions.findIndex((one) => one.version === version);
  const after = must(await port.version(subject, version), notKnown).data;
  const previous = at === -1 ? undefined : versions[at + 1];
  const before = previous === undefined ? undefined : must(await port.version(subject, previous.version), notKnown).data;
  return [before ?? undefined, after ?? {}];
}

async function changesOf(
  port: HistoryPort,
  subject: HistorySubject,
  versions: readonly VersionEntry[],
  version: number,
): Promise<string[]> {
  const [before, after] = await pairOf(port, subject, versions, version);
  return describeChange(before, after).map(changeLine);
}
