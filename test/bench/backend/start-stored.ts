import type { Bench } from '../bench.ts';
import { startBackendProcess, type BackendProgram, type StartedBackend } from './start-backend.ts';
import { storeSites } from './store-sites.ts';

export interface StartedStored {
  readonly backend: StartedBackend;
  /** Of the administrator of the organization. */
  readonly token: string;
}

/** Starts a backend that holds so many sites already. */
export async function startStored(
  bench: Bench,
  sites: number,
  options: { readonly databaseUrl?: string; readonly program?: BackendProgram } = {},
): Promise<StartedStored> {
  const { place, token } = await storeSites(bench, sites, options.databaseUrl);
  return { backend: await startBackendProcess(bench.workspace, place, options.program), token };
}
