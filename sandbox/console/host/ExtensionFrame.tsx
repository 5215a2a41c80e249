import { connectIframe } from '@adobe/uix-core';
import { useEffect, useEffectEvent, useRef } from 'react';
import { type ExtensionIdentity, type GuestApi, type HostActions, hostApi } from './host-api.ts';

export interface ExtensionFrameProps {
  readonly extension: ExtensionIdentity;
  readonly backend: string;
  readonly actions: HostActions;
  /** Absolute, or relative to the extension's address. */
  readonly url: string;
  readonly title: string;
  readonly className: string;
  readonly height?: number | string | undefined;
  onConnected?(guest: GuestApi): void;
  onFailed?(): void;
  onResize?(height: number): void;
}

/** A frame of the extension, with exactly the sandbox attributes of the real host, and no browser permissions. */
export function ExtensionFrame(props: ExtensionFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const onResize = useEffectEvent((height: number) => props.onResize?.(height));
  const onConnected = useEffectEvent((guest: GuestApi) => props.onConnected?.(guest));
  const onFailed = useEffectEvent(() => props.onFailed?.());
  const offered = useEffectEvent(() => hostApi(props.extension, props.backend, props.actions, onResize));
  const address = new URL(props.url, `${props.extension.url}/`);
  const { href, origin } = address;
  useEffect(() => {
    const element = frame.current;
    if (element === null) return undefined;
    let gone = false;
    let disconnect: (() => void) | undefined;
    connectIframe<GuestApi>(element, { targetOrigin: origin, timeout: CONNECT_TIMEOUT }, offered(), () => undefined).then(
      (connection) => {
        disconnect = () => connection.tunnel.destroy();
        if (gone) disconnect();
        else onConnected(asGuest(connection.getRemoteApi()));
      },
      () => {
        if (!gone) onFailed();
      },
    );
    return () => {
      gone = true;
      disconnect?.();
    };
  }, [origin]);
  return (
    <iframe
      ref={frame}
      className={props.className}
      title={props.title}
      sandbox="allow-scripts allow-forms allow-same-origin"
      allow="clipboard-read 'none'; clipboard-write 'none'"
      src={href}
      style={props.height === undefined ? undefined : { height: props.height }}
    />
  );
}

const CONNECT_TIMEOUT = 20_000;

/** The transport's own type wraps each method in another promise; on the wire they are the same. */
function asGuest(remote: unknown): GuestApi {
  return remote as GuestApi;
}
