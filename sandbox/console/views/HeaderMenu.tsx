import { ActionButton } from '@adobe/react-spectrum/ActionButton';
import { Button } from '@adobe/react-spectrum/Button';
import { StatusLight } from '@adobe/react-spectrum/StatusLight';
import type { HeaderButton, Rail } from '../host/guest-api.ts';
import type { ExtensionState } from '../host/use-extension.ts';

interface HeaderMenuProps {
  readonly extension: ExtensionState;
  readonly address: string;
  readonly openRail: string | undefined;
  onRail(rail: Rail | undefined): void;
}

/** The buttons that the extension adds to the console's header, and the switches of its rails. */
export function HeaderMenu({ extension, address, openRail, onRail }: HeaderMenuProps) {
  switch (extension.state) {
    case 'connecting':
      return <StatusLight variant="neutral">Connecting the extension…</StatusLight>;
    case 'failed':
      return <StatusLight variant="negative">{`The extension at ${address} does not respond. Load the page again.`}</StatusLight>;
    case 'ready':
      return (
        <>
          {extension.buttons.map((button) => (
            <Button
              key={button.id}
              variant={button.variant === 'action' || button.variant === 'primary' ? 'primary' : 'accent'}
              onPress={() => press(button)}
            >
              {button.label}
            </Button>
          ))}
          {extension.rails.map((rail) => (
            <ActionButton key={rail.id} aria-pressed={openRail === rail.id} onPress={() => onRail(openRail === rail.id ? undefined : rail)}>
              {rail.header}
            </ActionButton>
          ))}
        </>
      );
    default:
      return extension satisfies never;
  }
}

function press(button: HeaderButton): void {
  button.onClick().catch((error: unknown) => console.error(`The extension's button "${button.id}" failed.`, error));
}
