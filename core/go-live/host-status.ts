import { CONFIGURATION_PATH } from '@repoless/contract/mappings.ts';
import type { BlockReason } from '../plan/plan.ts';
import { EDITOR_FILES } from '../situation/site-files.ts';
import type { FileProbe, Known, PageProbe } from '../situation/situation.ts';
import type { CodeCheck } from '@repoless/contract/code-check.ts';
import { blocks, done, open, previewOf, repositoryData } from './gate.ts';
import type { Evidence, Gate, Place, Standing } from './gate.ts';

export interface Turn {
  /** Every step before was taken: what is not there now will not come by any of them. */
  readonly hasCome: boolean;
}

/**
 * The files without which the editor shows a white page, on the preview host. One that the repository does not have never
 * comes by a sync.
 */
export function editorFilesStatus(
  gate: Gate,
  files: readonly FileProbe[],
  repository: Known<CodeCheck> | undefined,
  { hasCome }: Turn,
): Standing {
  const preview = previewOf(gate);
  const served = files.filter(({ address, path }) => address.startsWith(`${preview}/`) && EDITOR_FILES.some((name) => name === path));
  const evidence = { request: `GET ${preview}/…`, answer: served.map(({ path, status }) => `${path.slice(1)} ${status}`).join(', ') };
  if (served.length > 0 && served.every(({ status }) => status === 200)) return done(evidence);
  const guarded = served.find(({ status }) => status === 401 || status === 403);
  if (guarded !== undefined && hasCome) return guardedHost(gate, guarded.address, evidence);
  const held = Object.entries(repository?.state === 'known' ? (repository.value.files ?? {}) : {});
  const lacking = held
    .filter(([name, state]) => state === 'missing' && EDITOR_FILES.some((path) => path === `/${name}`))
    .map(([name]) => name);
  if (lacking.length > 0) return blocks('editor-files-missing', { ...repositoryData(gate), missing: lacking.join(', ') }, evidence);
  if (!hasCome) return open(evidence);
  const missing = served.filter(({ status }) => status !== 200).map(({ path, status }) => `${path.slice(1)} (${status})`);
  return blocks('editor-files-not-served', { preview, missing: missing.join(', ') }, evidence);
}

/** The content root's page, as the service's technical account gets it from the content source. */
export function contentPageStatus(gate: Gate, probe: PageProbe | undefined, turn: Turn): Standing {
  return pageStanding(gate, probe, turn, 'content-missing');
}

/** The configuration page's rows, by the same way. */
export function configurationStatus(gate: Gate, probe: PageProbe | undefined, turn: Turn): Standing {
  return pageStanding(gate, probe, turn, 'configuration-not-served');
}

/** Addresses on the preview host by which both are read. */
export function pageAddress(gate: Place): string {
  return `${previewOf(gate)}/`;
}

export function sheetAddress(gate: Place): string {
  return `${previewOf(gate)}${CONFIGURATION_PATH}`;
}

/** 401 and 403 of the content source are final: no step of this plan gives the service access. */
function pageStanding(gate: Gate, probe: PageProbe | undefined, { hasCome }: Turn, missing: BlockReason): Standing {
  if (probe === undefined) return open();
  const { address, status, sourceStatus, code, detail = '' } = probe;
  const source = sourceStatus === undefined ? '' : `, the content source answered ${sourceStatus}`;
  const evidence = { request: `GET ${address}`, answer: `${status}${source}` };
  const data = { address, status: String(sourceStatus ?? status), detail, organization: gate.organization };
  if (status === 200) return done(evidence);
  if (sourceStatus === 401 || sourceStatus === 403) return blocks('content-refused', data, evidence);
  if (!hasCome) return open(evidence);
  if ((status === 401 || status === 403) && code !== undefined) return guardedHost(gate, address, evidence);
  if (status === 404) return blocks(missing, data, evidence);
  return blocks('content-unreachable', data, evidence);
}

function guardedHost({ organization, siteName }: Gate, address: string, evidence: Evidence): Standing {
  return blocks('host-guarded', { organization, site: siteName, address }, evidence);
}
