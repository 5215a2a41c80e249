import { useCloseOnEscape } from '@repoless/extension/app/Panel.tsx';
import { LeaveGuard } from '@repoless/extension/ui/LeaveGuard.tsx';
import type { ReactNode } from 'react';
import { InShell } from './in-shell.tsx';
import { renderInSurface } from './in-surface.tsx';

/** Renders a view in a dialog that Escape closes. Returns the user, and how often it was closed. */
export function showInDialog(view: ReactNode) {
  const calls = { closed: 0 };
  const { person } = renderInSurface(
    <LeaveGuard requested="" id="">
      {() => (
        <Dialog onClose={() => calls.closed++}>
          <InShell>{() => view}</InShell>
        </Dialog>
      )}
    </LeaveGuard>,
  );
  return { person, calls };
}

function Dialog({ onClose, children }: { readonly onClose: () => void; readonly children: ReactNode }) {
  useCloseOnEscape(onClose);
  return children;
}
