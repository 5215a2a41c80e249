import { ProgressCircle } from '@adobe/react-spectrum/ProgressCircle';
import type { DeviceAuthorization } from '@repoless/contract/session.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { ExternalLink } from '../../ui/ExternalLink.tsx';
import { useMessages } from '../../ui/use-messages.ts';

/** The address and the code of a device authorization, to select or copy; a frame may open no window for them. */
export function DeviceCode({ device }: { readonly device: DeviceAuthorization }) {
  const { general, signIn } = useMessages();
  return (
    <>
      <dl className="rp-addresses">
        <div>
          <dt>{signIn.codeAddress}</dt>
          <dd>
            <ExternalLink address={device.verification_uri_complete} copyLabel={general.copyAddress}>
              {device.verification_uri}
            </ExternalLink>
          </dd>
        </div>
        <div>
          <dt>{signIn.code}</dt>
          <dd>
            <span className="rp-user-code">{device.user_code}</span>
            <CopyButton text={device.user_code} label={signIn.copyCode} />
          </dd>
        </div>
      </dl>
      <div className="rp-actions">
        <ProgressCircle isIndeterminate size="S" aria-label={signIn.codeWaiting} />
        <span className="rp-quiet">{signIn.codeWaiting}</span>
      </div>
    </>
  );
}
