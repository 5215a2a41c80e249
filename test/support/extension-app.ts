import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';

const ROOT = new URL('../..', import.meta.url).pathname;

/** The contents of `build.json`, which describes the web app beside it. */
export const Build = z.object({
  id: z.string(),
  name: z.string(),
  version: z.string(),
  extensionPoint: z.string(),
  hash: z.string(),
  files: z.record(z.string(), z.string()),
});
export type Build = z.infer<typeof Build>;

const Manifest = z.object({
  id: z.string(),
  version: z.string(),
  extensionPoint: z.string(),
  headerMenuButtons: z.array(z.object({ id: z.string(), label: z.string(), needsModal: z.boolean() })),
  rightPanelRails: z.array(z.object({ id: z.string(), header: z.string() })),
});

export async function readManifest(): Promise<z.infer<typeof Manifest>> {
  return Manifest.parse(JSON.parse(await readFile(join(ROOT, 'manifest.json'), 'utf8')));
}

/**
 * Builds the application as `npm run package:extension` does once the extension is built, in the folder `target` and with options of
 * the command. Returns the folder of its web files. Rejects with the command’s output.
 */
export async function makeExtensionApp(target: string, ...options: readonly string[]): Promise<string> {
  await promisify(execFile)(process.execPath, [join(ROOT, 'packaging/extension-app.mjs'), '--target', target, ...options]);
  return join(target, 'src/universal-editor-ui-1/web-src');
}
