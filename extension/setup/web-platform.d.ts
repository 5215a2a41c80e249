// All that setup knows of the web platform: enough to be stopped, and to finish what must not be.
interface AbortSignal {
  readonly aborted: boolean;
}
declare const AbortController: new () => { readonly signal: AbortSignal };
