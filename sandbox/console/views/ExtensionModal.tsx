import { Content } from '@adobe/react-spectrum/Content';
import { Dialog } from '@adobe/react-spectrum/Dialog';
import { DialogContainer } from '@adobe/react-spectrum/DialogContainer';
import { Divider } from '@adobe/react-spectrum/Divider';
import { Heading } from '@adobe/react-spectrum/Heading';
import { useState } from 'react';
import { ExtensionFrame } from '../host/ExtensionFrame.tsx';
import type { ModalRequest } from '../host/guest-api.ts';
import type { ExtensionIdentity, HostActions } from '../host/host-api.ts';

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
  const [wanted, setWanted] = useState(DEFAULT_HEIGHT);
  // Without a height of its own the frame grows with what is in it.
  const height = request.fullscreen === true ? undefined : (request.height ?? wanted);
  return (
    <Dialog UNSAFE_style={request.fullscreen === true ? {} : { width: cssLength(request.width ?? DEFAULT_WIDTH), maxWidth: '94vw' }}>
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
          height={height}
          onResize={(content) => setWanted(Math.max(DEFAULT_HEIGHT, Math.ceil(content)))}
        />
      </Content>
    </Dialog>
  );
}

const DEFAULT_WIDTH = 900;
const DEFAULT_HEIGHT = 480;

function cssLength(length: number | string): string {
  return typeof length === 'number' || /^\d+$/.test(length) ? `${length}px` : length;
}
