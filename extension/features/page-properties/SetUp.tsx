import type { Drift } from '@repoless/contract/site-check.ts';
import type { Evaluation } from '@repoless/core/checks/site-state.ts';
import type { Messages } from '@repoless/core/messages/language.ts';
import { rowAddresses } from '@repoless/core/sites/row-site.ts';
import type { Choices, Situation, Target } from '@repoless/core/situation/situation.ts';
import Alert from '@spectrum-icons/workflow/Alert';
import CheckmarkCircle from '@spectrum-icons/workflow/CheckmarkCircle';
import { type Ref, useState } from 'react';
import { ExternalLink, LinkRefused } from '../../ui/ExternalLink.tsx';
import { TextList } from '../../ui/Facts.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Term } from '../../ui/use-glossary.tsx';
import { useMessages } from '../../ui/use-messages.ts';
import type { ServiceInfo } from '@repoless/contract/service.ts';
import { hostReaders } from '@repoless/contract/access.ts';

interface Props {
  readonly situation: Situation;
  readonly evaluation: Evaluation;
  readonly choices: Choices;
  readonly drift: readonly Drift[];
  /** Receives focus when an apply has just ended here. */
  readonly focus: Ref<HTMLHeadingElement>;
}

/** Every step is done: one line on whether the site is set up, its addresses, and what differs. */
export function SetUp({ situation, evaluation, choices, drift, focus }: Props) {
  const { outcome } = useMessages();
  const preview = previewFrameAddress(situation);
  const isInOrder = evaluation.state === 'in-order';
  return (
    <section className={isInOrder ? 'rp-card rp-set-up' : 'rp-card rp-set-up rp-set-up-warning'} aria-labelledby="rp-set-up">
      <h2 id="rp-set-up" tabIndex={-1} ref={focus} className="rp-set-up-line">
        {isInOrder ? <CheckmarkCircle size="S" color="positive" /> : <Alert size="S" color="notice" />}
        <span>{lineOf(outcome, evaluation, choices)}</span>
      </h2>
      <div className="rp-set-up-site">
        {preview !== undefined && <PagePreview address={preview} />}
        <div className="rp-stack">
          <LiveLink info={situation.info} {...choices} />
          <SiteAddresses info={situation.info} organization={choices.organization} siteName={choices.siteName} live />
        </div>
      </div>
      {drift.length > 0 && <DriftNotice drift={drift} />}
    </section>
  );
}

function LiveLink({ info, organization, siteName }: Target & Pick<Situation, 'info'>) {
  const { setup } = useMessages('setup');
  const [refused, setRefused] = useState<string>();
  const address = rowAddresses({ organization, info }, { siteName }).live;
  return (
    <div>
      <ExternalLink address={address} className="rp-link-button" onRefused={() => setRefused(address)}>
        {setup.openLive}
      </ExternalLink>
      <LinkRefused address={refused} isShown />
    </div>
  );
}

/** Completed steps are not proof: only a checked site is called set up. */
function lineOf({ line, warning }: Messages['outcome'], { state, wrong }: Evaluation, { siteName, organization }: Choices) {
  if (state === 'in-order') return line({ site: siteName, organization });
  if (state === 'differs') return warning.differs({ site: siteName });
  if (state === 'faulty') return warning.faulty({ site: siteName, wrong });
  return warning.unverified({ site: siteName });
}

function DriftNotice({ drift }: { readonly drift: readonly Drift[] }) {
  const messages = useMessages().drift;
  return (
    <Notice tone="warning" icon={Alert} role="note" title={<Term id="drift">{messages.title}</Term>}>
      <TextList
        texts={drift.map((row) =>
          messages.line({
            field: messages.fields[row.field],
            authoring: row.authoring || messages.empty,
            service: row.service || messages.empty,
          }),
        )}
      />
      <p className="rp-next">{messages.next}</p>
    </Notice>
  );
}

interface SiteAddressesProps {
  readonly info: ServiceInfo;
  readonly organization: string;
  readonly siteName: string;
  /** The site responds: addresses are links and can be copied. */
  readonly live?: boolean;
}

export function SiteAddresses({ info, organization, siteName, live = false }: SiteAddressesProps) {
  const { outcome, choices } = useMessages();
  const addresses = rowAddresses({ organization, info }, { siteName });
  const rows = [
    ['preview', live ? outcome.preview : choices.preview],
    ['live', live ? outcome.live : choices.live],
  ] as const;
  return (
    <dl className="rp-addresses">
      {rows.map(([tier, name]) => (
        <div key={tier}>
          <dt>{name}</dt>
          <dd>
            {live ? (
              <ExternalLink address={addresses[tier]} copyLabel={outcome.copyAddress[tier]}>
                {addresses[tier]}
              </ExternalLink>
            ) : (
              <span className="rp-value">{addresses[tier]}</span>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/**
 * The start page on the preview host, scaled down and not interactive. Its scripts run on a separate origin that may not navigate, open
 * windows or send forms.
 */
function PagePreview({ address }: { readonly address: string }) {
  const { setup } = useMessages('setup');
  return (
    <div className="rp-picture" inert>
      <iframe src={address} title={setup.picture} loading="lazy" sandbox="allow-scripts allow-same-origin" referrerPolicy="no-referrer" />
    </div>
  );
}

/** The address of the start page on the preview host; undefined if that is guarded, doesn't answer, or may not be framed. */
export function previewFrameAddress({ site, page }: Situation): string | undefined {
  if (site.state !== 'known' || page?.status !== 200) return undefined;
  const { access, headers = {} } = site.value.config;
  const forbidsFrames = Object.values(headers)
    .flat()
    .some(
      ({ key, value }) => /^x-frame-options$/i.test(key) || (/^content-security-policy$/i.test(key) && /\bframe-ancestors\b/i.test(value)),
    );
  return forbidsFrames || hostReaders(access, 'preview') !== undefined ? undefined : page.address;
}
