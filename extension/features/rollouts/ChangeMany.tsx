import type { HistoryPort } from '@repoless/core/history/history-port.ts';
import type { RolloutsPort } from '@repoless/core/rollouts/rollouts-port.ts';
import { BackButton } from '../../ui/Card.tsx';
import { useFocusOnArrival } from '../../ui/focus.ts';
import { useMessages } from '../../ui/use-messages.ts';
import { ChangeProfile } from './ChangeProfile.tsx';
import { type EditedSite, EditSites } from './EditSites.tsx';
import './rollouts.css';

export type Changing =
  { readonly kind: 'sites'; readonly sites: readonly EditedSite[] } | { readonly kind: 'profile'; readonly profile: string };

interface Props {
  readonly port: RolloutsPort;
  readonly history: HistoryPort;
  readonly organization: string;
  readonly changing: Changing;
  readonly onClose: () => void;
  readonly onStarted: (id: string) => void;
}

export function ChangeMany({ changing, onClose, onStarted, ...ports }: Props) {
  const { rollouts: messages } = useMessages('rollouts');
  const heading = useFocusOnArrival<HTMLHeadingElement>(changing);
  const shared = { ...ports, onCancel: onClose, onStarted };
  return (
    <section className="rp-stack" aria-labelledby="rp-change-many">
      <header className="rp-rollout-head">
        <BackButton text={messages.back} onPress={onClose} />
        <h2 id="rp-change-many" tabIndex={-1} ref={heading}>
          {changing.kind === 'sites'
            ? messages.form.sitesTitle({ count: changing.sites.length })
            : messages.profile.title({ profile: changing.profile })}
        </h2>
      </header>
      <div className="rp-card">
        {changing.kind === 'sites' ? (
          <EditSites {...shared} sites={changing.sites} />
        ) : (
          <ChangeProfile {...shared} profile={changing.profile} />
        )}
      </div>
    </section>
  );
}
