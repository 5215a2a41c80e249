import CheckmarkCircle from '@spectrum-icons/workflow/CheckmarkCircle';
import type { Ref } from 'react';
import type { Drift } from '#extension/setup/findings.ts';
import type { Choices } from '#extension/setup/settings.ts';
import type { Situation } from '#extension/setup/situation.ts';
import { useWords } from '../use-words.ts';
import { DriftNotice } from './DriftNotice.tsx';
import { SiteAddresses } from './SiteAddresses.tsx';

interface Props {
  readonly situation: Situation;
  readonly choices: Choices;
  readonly drift: readonly Drift[];
  /** Takes the focus when an apply has just ended here. */
  readonly focus: Ref<HTMLHeadingElement>;
}

/** A site that is set up: one line that says so, its addresses, and what differs. */
export function SetUp({ situation, choices, drift, focus }: Props) {
  const { outcome } = useWords();
  return (
    <section className="rp-card rp-set-up" aria-labelledby="rp-set-up">
      <h2 id="rp-set-up" tabIndex={-1} ref={focus} className="rp-set-up-line">
        <CheckmarkCircle size="S" color="positive" />
        <span>{outcome.line(choices.siteName, choices.organization)}</span>
      </h2>
      <SiteAddresses info={situation.info} organization={choices.organization} siteName={choices.siteName} live />
      {drift.length > 0 && <DriftNotice drift={drift} />}
    </section>
  );
}
