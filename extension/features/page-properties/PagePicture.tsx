import { hostReaders } from '@repoless/contract/access.ts';
import type { Situation } from '@repoless/core/situation/situation.ts';
import { useMessages } from '../../ui/use-messages.ts';

/**
 * The start page on the preview host, scaled down and not interactive. Its scripts run on a separate origin that may not navigate, open
 * windows or send forms.
 */
export function PagePicture({ address }: { readonly address: string }) {
  const { setup } = useMessages('setup');
  return (
    <div className="rp-picture" inert>
      <iframe src={address} title={setup.picture} loading="lazy" sandbox="allow-scripts allow-same-origin" referrerPolicy="no-referrer" />
    </div>
  );
}

/** The address of the start page on the preview host; undefined if that is guarded, doesn't answer, or may not be framed. */
export function pictureAddress({ site, page }: Situation): string | undefined {
  if (site.state !== 'known' || page?.status !== 200) return undefined;
  const { access, headers = {} } = site.value.config;
  const forbidsFrames = Object.values(headers)
    .flat()
    .some(
      ({ key, value }) => /^x-frame-options$/i.test(key) || (/^content-security-policy$/i.test(key) && /\bframe-ancestors\b/i.test(value)),
    );
  return forbidsFrames || hostReaders(access, 'preview') !== undefined ? undefined : page.address;
}
