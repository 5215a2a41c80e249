import { useCloseOnEscape } from '@repoless/extension/app/Panel.tsx';
import { Surface } from '@repoless/extension/app/Surface.tsx';
import { LeaveGuard } from '@repoless/extension/features/leaving/LeaveGuard.tsx';
import { render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { InShell } from './in-shell.tsx';

/** Renders a view in a dialog that Escape closes. Returns the user, and how often it was closed. */
export function showInDialog(view: ReactNode) {
  const calls = { closed: 0 };
  render(
    <Surface locale="en-US" theme="light" standAlone={false}>
      <LeaveGuard asked="" id="">
        {() => (
          <Dialog onClose={() => calls.closed++}>
            <InShell>{() => view}</InShell>
          </Dialog>
        )}
      </LeaveGuard>
    </Surface>,
  );
  return { person: userEvent.setup(), calls };
}

function Dialog({ onClose, children }: { readonly onClose: () => void; readonly children: ReactNode }) {
  useCloseOnEscape(onClose);
  return children;
}
