/**
 * Serves a web app from its sources, including changes. Takes its folder, the address to listen on, a name for its cache, and the service that
 * the extension calls.
 */
export function webApp(
  folder: 'extension' | 'sandbox/console',
  server: { readonly port: number; readonly strictPort: boolean; readonly https?: { readonly key: Buffer; readonly cert: Buffer } },
  options?: { readonly cache?: string; readonly service?: string },
): Promise<{ close(): Promise<void> }>;
