import { Content } from '@adobe/react-spectrum/Content';
import { Dialog } from '@adobe/react-spectrum/Dialog';
import { DialogContainer } from '@adobe/react-spectrum/DialogContainer';
import { Divider } from '@adobe/react-spectrum/Divider';
import { Heading } from '@adobe/react-spectrum/Heading';
import { type CSSProperties, useState } from 'react';
import { ExtensionFrame } from '../host/ExtensionFrame.tsx';
import type { ExtensionIdentity, HostActions, ModalRequest } from '../host/host-api.ts';

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
