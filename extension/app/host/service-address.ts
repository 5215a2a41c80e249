import { z } from 'zod';
import type { HostFailure } from './host.ts';

/** Identifier of the extension, with the host and in its configuration. */
export const EXTENSION_ID = 'repoless';

const Flat = z.looseObject({ service: z.string().min(1) });
const ById = z.looseObject({ [EXTENSION_ID]: Flat });

/**
 * The address of the configuration service: from the host's configuration, flat or by the extension's identifier, else from `settings.json` next
 * to the app. Never from the page's address: a link must not choose who receives the sign-in.
 */
export async function serviceAddress(
  configuration: unknown,
  readSettings: () => Promise<unknown>,
): Promise<{ readonly service: string } | { readonly failure: HostFailure }> {
  const text = configured(configuration) ?? configured(await readSettings());
  if (text === undefined) return { failure: { reason: 'service-missing' } };
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) return { failure: { reason: 'service-invalid', address: text } };
  return { service: text.replace(/\/+$/, '') };
}

/** `settings.json` beside the app; undefined where there is none. */
export async function readDeployedSettings(): Promise<unknown> {
  try {
    const answer = await fetch('settings.json', { cache: 'no-store' });
    return answer.ok ? await answer.json() : undefined;
  } catch {
    return undefined;
  }
}

function configured(value: unknown): string | undefined {
  const byId = ById.safeParse(value);
  if (byId.success) return byId.data[EXTENSION_ID]?.service;
  const flat = Flat.safeParse(value);
  return flat.success ? flat.data.service : undefined;
}
