// All that setup knows of the web platform: enough to be stopped.
interface AbortSignal {
  readonly aborted: boolean;
}
