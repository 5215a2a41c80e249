import type { ActionButton } from '@adobe/react-spectrum/ActionButton';
import type { Button } from '@adobe/react-spectrum/Button';
import { useEffect, useRef, useState } from 'react';
import type { ComponentRef, RefObject } from 'react';

/**
 * For a button whose question takes its place. Out: its ref, and what gives the focus back to it once the question is declined and
 * the button is drawn again.
 */
export function useFocusBack(): [RefObject<(ComponentRef<typeof Button> & ComponentRef<typeof ActionButton>) | null>, () => void] {
  const button = useRef<ComponentRef<typeof Button> & ComponentRef<typeof ActionButton>>(null);
  const [declined, setDeclined] = useState(0);
  useEffect(() => {
    if (declined > 0) button.current?.focus();
  }, [declined]);
  return [button, () => setDeclined((times) => times + 1)];
}
