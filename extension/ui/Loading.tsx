import { ProgressCircle } from '@adobe/react-spectrum/ProgressCircle';

/** Something is on its way: a turning circle and what it is that is awaited. */
export function Loading({ text }: { readonly text: string }) {
  return (
    <div className="rp-loading" role="status">
      <ProgressCircle isIndeterminate size="M" aria-label={text} />
      <span>{text}</span>
    </div>
  );
}
