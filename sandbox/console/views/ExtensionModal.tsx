import { Content } from '@adobe/react-spectrum/Content';
import { Dialog } from '@adobe/react-spectrum/Dialog';
import { DialogContainer } from '@adobe/react-spectrum/DialogContainer';
import { Divider } from '@adobe/react-spectrum/Divider';
import { Heading } from '@adobe/react-spectrum/Heading';
import { type CSSProperties, useState, useEffect, useEffectEvent, useRef } from 'react';
import { type ExtensionIdentity, type HostActions, type ModalRequest, type GuestApi, hostApi } from '../host/host-api.ts';
import { connectIframe } from '@adobe/uix-core';

interface ExtensionModalProps {
  readonly request: ModalRequest | undefined;
  readonly extension: ExtensionIdentity;
  readonly backend: string;
  readonly actions: HostActions;
}

/** What `modal.showUrl` opens: a dialog with a frame of the extension. */
export function ExtensionModal({ request, extension, backend, actions }: ExtensionModalProps) {
  return (
    <DialogContainer
      onDismiss={actions.closeModal}
      type={request?.fullscreen === true ? 'fullscreen' : 'modal'}
      isDismissable={request?.isDismissable ?? true}
    >
      {request !== undefined && <ModalBody request={request} extension={extension} backend={backend} actions={actions} />}
    </DialogContainer>
  );
}

function ModalBody({ request, extension, backend, actions }: ExtensionModalProps & { readonly request: ModalRequest }) {
  const [content, setContent] = useState(SMALLEST_HEIGHT);
  const fills = request.fullscreen === true || request.height !== undefined;
  return (
    <Dialog UNSAFE_className={fills ? 'filled-modal' : ''} UNSAFE_style={request.fullscreen === true ? {} : dialogSize(request)}>
      <Heading>{request.title ?? 'Extension'}</Heading>
      <Divider />
      <Content UNSAFE_className="modal-content">
        <ExtensionFrame
          extension={extension}
          backend={backend}
          actions={actions}
          url={request.url}
          title={request.title ?? 'Extension'}
          className="modal-frame"
          height={fills ? '100%' : content}
          onResize={(height) => setContent(Math.max(SMALLEST_HEIGHT, Math.ceil(height)))}
        />
      </Content>
    </Dialog>
  );
}

const DEFAULT_WIDTH = 900;
const SMALLEST_HEIGHT = 320;

/** The dialog's size; a percentage is relative to the window. Without a height it grows with its content. */
function dialogSize(request: ModalRequest): CSSProperties {
  const width = cssLength(request.width ?? DEFAULT_WIDTH, 'vw');
  return {
    width,
    maxWidth: '90vw',
    ...(request.height === undefined ? {} : { height: cssLength(request.height, 'vh'), maxHeight: '90vh' }),
  };
}

function cssLength(length: number | string, window: 'vw' | 'vh'): string {
  if (typeof length === 'number' || /^\d+$/.test(length)) return `${length}px`;
  return length.replace(/%$/, window);
}

interface ExtensionFrameProps {
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
