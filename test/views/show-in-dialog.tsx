import { render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { LeaveGuard } from '#extension/views/leaving/LeaveGuard.tsx';
import { useCloseOnEscape } from '#extension/views/leaving/use-close-on-escape.ts';
import { Surface } from '#extension/views/Surface.tsx';
import { InShell } from './in-shell.tsx';

/** A view in a dialog that Escape closes. Out: the person at it, and how often it was closed. */
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
