import { ProgressCircle } from '@adobe/react-spectrum/ProgressCircle';
import type { DeviceAuthorization } from '#contract/session.ts';
import { CopyButton } from '../shared/CopyButton.tsx';
import { useWords } from '../use-words.ts';

/** The address and the code of a device authorization, to select or copy; a frame may open no window for them. */
export function DeviceCode({ device }: { readonly device: DeviceAuthorization }) {
  const { signIn } = useWords();
  return (
    <>
      <dl className="rp-addresses">
        <div>
          <dt>{signIn.codeAddress}</dt>
          <dd>
            <a className="rp-link" href={device.verification_uri_complete} target="_blank" rel="noreferrer">
              {device.verification_uri}
            </a>
            <CopyButton text={device.verification_uri_complete} label={signIn.copyAddress} />
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
