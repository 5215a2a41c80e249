import type { EdgeConfiguration } from '@repoless/contract/authoring.ts';
import type { SiteConfigurations } from '../plan/own-parts.ts';
import type { SetupPorts } from '../plan/ports.ts';
import type { Known } from '../situation/situation.ts';
import type { ContentPage } from './content-page.ts';
import type { RowGates } from './row-gate.ts';
import type { Pace } from './pace.ts';
import type { Batch, SiteRow } from './rows.ts';
import type { WriteAccess } from './write-access.ts';

/** Everything that a row's plan is made from, read afresh. */
export interface RowSituation {
  readonly site: Known<SiteConfigurations & { readonly etag: string }>;
  /** Absent where only the service is dealt with. */
  readonly authoring?: {
    readonly page: Known<ContentPage>;
    readonly configurationPage: Known<{ readonly path: string; readonly resourceType?: string }> | undefined;
    readonly edge: Known<EdgeConfiguration> | undefined;
    /** What a new configuration begins with. */
    readonly baseEdge: Known<EdgeConfiguration> | undefined;
  };
  /** The site's present version, where the settings that are about to change have to be kept with it. */
  readonly version?: number;
  readonly readAt: string;
  readonly readBy: string;
}

export interface Reading {
  readonly ports: SetupPorts;
  readonly batch: Batch;
  readonly pace: Pace;
  readonly reach: Reach;
  readonly readBy: string;
  /** The base site's Edge Delivery configuration, read once for all rows. */
  readonly baseEdge: Known<EdgeConfiguration> | undefined;
  readonly access: WriteAccess;
  readonly gates: RowGates;
  readonly signal: AbortSignal;
  /** False: the site is known not to be there yet, so that it need not be asked for. */
  mayExist(siteName: string): boolean;
  onWaiting(attempt: number): void;
}

/** `service`: the service's sites alone; the authoring system is neither read nor written. */
export type Reach = 'both' | 'service';

/** Reads the present state of a row: one to five calls, nearly all at once. */
export async function readRow(reading: Reading, row: SiteRow): Promise<RowSituation> {
  const { ports, batch, pace, onWaiting } = reading;
  const site = () => ports.service.held(batch.organization, row.siteName);
  const [found, authoring] = await Promise.all([
    reading.mayExist(row.siteName) ? pace.call(site, onWaiting) : ({ state: 'missing' } as const),
    reading.reach === 'both' ? readAuthoring(reading, row) : undefined,
  ]);
  const version =
    found.state === 'known' && authoring?.edge?.state === 'known' ? await versionToKeep(reading, row, authoring.edge.value) : undefined;
  return {
    site: found,
    ...(version === undefined ? {} : { version }),
    readAt: ports.now().toISOString(),
    readBy: reading.readBy,
    ...(authoring === undefined ? {} : { authoring }),
  };
}

async function readAuthoring({ ports, pace, onWaiting, baseEdge }: Reading, row: SiteRow) {
  const { configurationPage, cloudConfiguration } = row;
  const [page, sheet, edge] = await Promise.all([
    pace.call(() => ports.authoring.content(row.contentRoot), onWaiting),
    configurationPage === undefined ? undefined : pace.call(() => ports.authoring.page(configurationPage), onWaiting),
    cloudConfiguration === undefined ? undefined : pace.call(() => ports.authoring.edgeConfiguration(cloudConfiguration), onWaiting),
  ]);
  return { page, configurationPage: sheet, edge, baseEdge };
}

async function versionToKeep(
  { ports, batch, pace, onWaiting }: Reading,
  row: SiteRow,
  edge: EdgeConfiguration,
): Promise<number | undefined> {
  if (edge.owner === batch.organization && edge.repo === row.siteName && edge.projectType === batch.info.repolessProjectType)
    return undefined;
  const versions = await pace.call(() => ports.service.versions(batch.organization, row.siteName), onWaiting);
  return versions.state === 'known' ? versions.value.current : undefined;
}
