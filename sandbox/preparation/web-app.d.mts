/**
 * Serves a web app from its sources, changes included. In: its folder, where it listens, a name for what is kept ready of it, and
 * the service that the extension calls.
 */
export function webApp(
  folder: 'extension' | 'sandbox/console',
  server: { readonly port: number; readonly strictPort: boolean; readonly https?: { readonly key: Buffer; readonly cert: Buffer } },
  options?: { readonly cache?: string; readonly service?: string },
): Promise<{ close(): Promise<void> }>;
