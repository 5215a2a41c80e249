import { basename, join, resolve } from 'node:path';
import type { CodeSource } from '#contract/code-source.ts';
import { parseDeliveryAddress } from '#contract/addresses.ts';
import type { DeliveryAddress } from '#contract/addresses.ts';
import { sanitizeRef } from '#contract/names.ts';
import type { SiteFile } from '#contract/site-file.ts';
import { commandLine as messages } from '#extension/messages/en/command-line.ts';
import type { Options } from '../arguments.ts';
import { readLegacyPaths } from '../legacy/read-paths.ts';
import { readMountpoints } from '../legacy/read-mountpoints.ts';
import { readRepository } from '../legacy/read-repository.ts';
import { printSiteFile, parseSiteFile } from '../site-file-text.ts';
import { UsageProblem } from '../cli-context.ts';
import type { CommandResult, CliContext } from '../cli-context.ts';
import { writeSiteFile } from '../write-site-file.ts';

/** Proposes the file that takes the place of a project's fstab.yaml and paths.json. Asks nobody. */
export async function importProject(context: CliContext, options: Options): Promise<CommandResult> {
  if (options.folder === undefined) throw new UsageProblem(messages.usage.noFolder);
  const folder = resolve(context.cwd, options.folder);
  const { address, further } = await readMountpoints(join(folder, 'fstab.yaml'));
  const delivery = parseDeliveryAddress(address);
  if (delivery === undefined) throw new UsageProblem(messages.import.notDelivery(address));
  const paths = await readLegacyPaths(join(folder, 'paths.json'), options.contentRoot);
  const file: SiteFile = {
    version: 1,
    organization: options.organization ?? sanitizeRef(delivery.org),
    ...(options.service === undefined ? {} : { service: options.service }),
    author: options.author ?? delivery.author,
    code: await codeOf(folder, delivery, options),
    access: { role: {}, requireAuth: 'auto' },
    sites: [
      {
        name: options.sites[0] ?? sanitizeRef(delivery.site),
        contentRoot: paths.contentRoot,
        ...(paths.configurationPage === undefined ? {} : { configurationPage: paths.configurationPage }),
        mappings: paths.mappings,
        includes: paths.includes,
      },
    ],
  };
  // What the project says may break a rule of the service: then its place in the proposed file is named.
  parseSiteFile(`proposed from ${basename(folder)}`, printSiteFile(file, 'yaml'));
  const notes = [
    ...(further.length === 0 ? [] : [messages.import.furtherMountpoints(further.join(', '))]),
    ...paths.notes,
    messages.import.obsolete,
  ];
  return writeSiteFile(context, options, file, notes);
}

/** What the command names, else the folder's own remote, else what the delivery address named before repoless. */
async function codeOf(folder: string, delivery: DeliveryAddress, { code }: Options): Promise<CodeSource> {
  const named = code === undefined ? await readRepository(folder) : { ...code };
  const { owner, repo, url } = { owner: delivery.org, repo: delivery.site, url: undefined, ...named };
  return { owner, repo, ...(url === undefined ? {} : { source: { type: 'github', url } }) };
}
