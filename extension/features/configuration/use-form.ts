import { use } from 'react';
import { FormFrameContext } from './form-frame.ts';
import type { FormFrame } from './form-frame.ts';

/** The form around a field. */
export function useForm(): FormFrame {
  const frame = use(FormFrameContext);
  if (frame === undefined) throw new Error('A field stands in no form.');
  return frame;
}
