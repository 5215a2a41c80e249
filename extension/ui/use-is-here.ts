import { useCallback, useEffect, useRef } from 'react';

/** Asked when an answer has come: whether this is still on the screen. What was left changes nothing where people are now. */
export function useIsHere(): () => boolean {
  const here = useRef(true);
  useEffect(() => {
    here.current = true;
    return () => void (here.current = false);
  }, []);
  return useCallback(() => here.current, []);
}
