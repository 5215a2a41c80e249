import CheckmarkCircle from '@spectrum-icons/workflow/CheckmarkCircle';
import { useMessages } from '../../ui/use-messages.ts';

/** A site was made from another one: what is to do now. */
export function Cloned({ name, source }: { readonly name: string; readonly source: string }) {
  const { clone } = useMessages('sites');
  return (
    <div className="rp-notice rp-notice-positive" role="status">
      <CheckmarkCircle size="S" UNSAFE_className="rp-notice-icon" />
      <div className="rp-notice-body">
        <p className="rp-notice-title">{clone.created({ site: name, source })}</p>
        <p className="rp-next">{clone.next}</p>
      </div>
    </div>
  );
}
