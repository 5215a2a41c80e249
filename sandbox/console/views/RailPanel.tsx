import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { Heading } from '@adobe/react-spectrum/Heading';
import { ExtensionFrame } from '../host/ExtensionFrame.tsx';
import type { Rail } from '../host/guest-api.ts';
import type { ExtensionIdentity, HostActions } from '../host/host-api.ts';

interface RailPanelProps {
  readonly rail: Rail;
  readonly extension: ExtensionIdentity;
  readonly backend: string;
  readonly actions: HostActions;
  onClose(): void;
}

/** A rail of the extension at the right; like the real host's it is made anew each time it is opened. */
export function RailPanel({ rail, extension, backend, actions, onClose }: RailPanelProps) {
  return (
    <aside className="rail" aria-label={rail.header}>
      <div className="rail-header">
        <Heading level={2}>{rail.header}</Heading>
        <ActionButton isQuiet onPress={onClose} aria-label={`Close ${rail.header}`}>
          Close
        </ActionButton>
      </div>
      <ExtensionFrame extension={extension} backend={backend} actions={actions} url={rail.url} title={rail.header} className="rail-frame" />
    </aside>
  );
}
